/** Rows in a chunk: about 64 kB of text, enough that the cost of a step between chunks does not matter. */
const rowsPerChunk = 1024;

/** The header, then the rows' lines in chunks, each made when it is needed. */
export function* textChunks(header: string, rows: number, line: (row: number) => string): Generator<string> {
  yield header;
  for (let from = 0; from < rows; from += rowsPerChunk) {
    let chunk = "";
    const to = Math.min(from + rowsPerChunk, rows);
    for (let row = from; row < to; row++) chunk += `${line(row)}\n`;
    yield chunk;
  }
}
