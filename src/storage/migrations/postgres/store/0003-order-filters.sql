-- Each ends in the identifier, so that a filtered page is one walk down one index.
CREATE INDEX store_order_by_pet ON store_order (pet_id, id);
CREATE INDEX store_order_by_complete ON store_order (complete, id);
