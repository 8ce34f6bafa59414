// Files that five spreadsheet programs make from the same animals. They differ in separator, encoding, line ends, quotes and empty
// cells. The line ends of the file from Numbers are assumed to be those of macOS. All other details come from the programs'
// documentation, sources and users' files.

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Encodes text in Windows-1252, the encoding for Western Europe. */
const windows1252 = (text: string) =>
  Uint8Array.from(text, (character) => (character === "€" ? 0x80 : character.charCodeAt(0)));

export const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));

export interface SpreadsheetFile {
  readonly program: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The line that an import prints on a terminal about the format of the file. */
  readonly found: string;
}

const GERMAN = "columns Name → name, Kategorie → categoryId, Verfügbarkeit → status, ignored: Preis";
const ENGLISH = "columns Name → name, Category → categoryId, Status → status, ignored: Price";

export const SPREADSHEET_FILES: readonly SpreadsheetFile[] = [
  {
    program:
      "Excel, German, CSV (Trennzeichen-getrennt): semicolons, Windows-1252, CR LF, LF within a cell, an empty column and row",
    file: "Tiere.csv",
    bytes: windows1252(
      "Name;Kategorie;Verfügbarkeit;Preis;\r\n" +
        "Bärbel;Katzen;verfügbar;1.299,00 €;\r\n" +
        '"Bo; der ""Große""";1;verkauft;12,50 €;\r\n' +
        '"Zwei\nZeilen";9007199254740993;;5,00 €;\r\n' +
        ";;;;\r\n",
    ),
    found: `Found: 3 animals, separated by ";", Windows-1252, ${GERMAN}`,
  },
  {
    program: "Excel, US, CSV UTF-8: a byte order mark, commas, CR LF, LF within a cell",
    file: "Animals.csv",
    bytes: utf8(
      "\ufeffName,Category,Status,Price\r\n" +
        'Bärbel,Katzen,Available," $1,299.00 "\r\n' +
        '"Bo; der ""Große""",1,Sold, $12.50 \r\n' +
        '"Zwei\nZeilen",9007199254740993,, $5.00 \r\n',
    ),
    found: `Found: 3 animals, separated by ",", UTF-8, ${ENGLISH}`,
  },
  {
    program: "Numbers, US: UTF-8 without a mark, commas, LF, the empty columns and rows of its table",
    file: "Animals-Table 1.csv",
    bytes: utf8(
      "Name,Category,Status,Price,,\n" +
        'Bärbel,Katzen,available,"1,299.00",,\n' +
        '"Bo; der ""Große""",1,sold,12.50,,\n' +
        '"Zwei\nZeilen",9007199254740993,,5,,\n' +
        ",,,,,\n,,,,,\n",
    ),
    found: `Found: 3 animals, separated by ",", UTF-8, ${ENGLISH}`,
  },
  {
    program: "LibreOffice, German, on Linux: UTF-8 without a mark, commas, LF, decimal commas in quotes",
    file: "tiere.csv",
    bytes: utf8(
      "Name,Kategorie,Verfügbarkeit,Preis\n" +
        'Bärbel,Katzen,verfügbar,"1.299,00 €"\n' +
        '"Bo; der ""Große""",1,verkauft,"12,50 €"\n' +
        '"Zwei\nZeilen",9007199254740993,,"5,00 €"\n',
    ),
    found: `Found: 3 animals, separated by ",", UTF-8, ${GERMAN}`,
  },
  {
    program: "Google Sheets: UTF-8 without a mark, commas, CR LF, LF within a cell, no line end at the end",
    file: "Animals - Sheet1.csv",
    bytes: utf8(
      "Name,Category,Status,Price\r\n" +
        'Bärbel,Katzen,available,"$1,299.00"\r\n' +
        '"Bo; der ""Große""",1,sold,$12.50\r\n' +
        '"Zwei\nZeilen",9007199254740993,,$5.00',
    ),
    found: `Found: 3 animals, separated by ",", UTF-8, ${ENGLISH}`,
  },
];

/** The animals that an import of each file adds, if the category Katzen has the number 1. */
export const SPREADSHEET_PETS = [
  '{"name":"Bo; der \\"Große\\"","categoryId":1,"status":"sold"}',
  '{"name":"Bärbel","categoryId":1,"status":"available"}',
  '{"name":"Zwei\\nZeilen","categoryId":9007199254740993}',
];
