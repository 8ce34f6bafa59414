-- The words of animals' names, for searches: what may match, and has to be compared with the name itself. Made from the names
-- behind the commits, in the order of the animals' identifiers.
CREATE TABLE pet_word (
  word TEXT COLLATE "C" NOT NULL,
  pet_id BIGINT NOT NULL,
  PRIMARY KEY (word, pet_id)
);

-- Every animal up to `last_id` has its words there. `step` is another one after each transaction that adds words: a process that
-- finds one that it did not make leaves the work to who did. One row.
CREATE TABLE pet_word_mark (
  only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
  last_id BIGINT NOT NULL,
  step BIGINT NOT NULL
);

INSERT INTO pet_word_mark (only_row, last_id, step) VALUES (1, 0, 0);
