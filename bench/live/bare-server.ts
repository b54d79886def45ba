/**
 * What a durable submit costs at the least: a server that inserts the body of each request as a row, flushes it, and
 * answers. A list of jobs is a row a job, in one transaction. `node bare-server.ts SOCKET DATABASE`.
 */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const [socket, path] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE job (number INTEGER PRIMARY KEY, text TEXT)",
);
const insert = database.prepare("INSERT INTO job (text) VALUES (?)");

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { jobs?: unknown[] };
    const jobs = body.jobs ?? [body];
    database.exec("BEGIN");
    const numbers = jobs.map((job) => insert.run(JSON.stringify(job)).lastInsertRowid);
    database.exec("COMMIT");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jobs: numbers.map(Number) }));
  });
}).listen(socket, () => console.log("ready"));
