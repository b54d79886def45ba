/**
 * What a durable submit costs at the least: a server that inserts the body of each request as a row, flushes it, and
 * answers. A list of jobs is a row a job. Requests that come together share a transaction, as they do in a farm. `node bare-server.ts SOCKET DATABASE`.
 */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const [socket, path] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE job (number INTEGER PRIMARY KEY, text TEXT)",
);
const insert = database.prepare("INSERT INTO job (text) VALUES (?)");

interface Request {
  readonly jobs: readonly unknown[];
  readonly answer: (numbers: readonly number[]) => void;
}
let waiting: Request[] = [];

function writeAll(): void {
  const requests = waiting;
  waiting = [];
  database.exec("BEGIN");
  const numbers = requests.map(({ jobs }) =>
    jobs.map((job) => Number(insert.run(JSON.stringify(job)).lastInsertRowid)),
  );
  database.exec("COMMIT");
  requests.forEach(({ answer }, at) => answer(numbers[at]));
}

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { jobs?: unknown[] };
    if (waiting.length === 0) setImmediate(writeAll);
    waiting.push({
      jobs: body.jobs ?? [body],
      answer: (numbers) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ jobs: numbers }));
      },
    });
  });
}).listen(socket, () => console.log("ready"));
