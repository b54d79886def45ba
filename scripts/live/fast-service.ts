/** A farm whose time runs fast, as a process: `node fast-service.ts FARM DATA SOCKET SPEED`. */
import { serve } from "../../src/live/serve.ts";
import { farmChecks } from "../../src/simulation/index.ts";
import { readFarm } from "../../src/workload/index.ts";

const [file, data, socket, speed] = process.argv.slice(2);
const serving = await serve({
  readFarm: () => readFarm(file, farmChecks),
  data,
  socket,
  listen: null,
  version: "trial",
  logLevel: "warn",
  speed: Number(speed),
});
process.once("SIGTERM", () => void serving.stop().then(() => process.exit(0)));
console.log("ready");
