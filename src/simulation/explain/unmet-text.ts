/** What `onMachinesOfQueues` adds to a requirement: that a machine takes the jobs of a queue. */
const OF_QUEUE = /^queue\.([^\s()"]+)$/;
const OF_NO_QUEUE = /^(?:!|not )has\(queue\.([^\s()"]+)\)$/;

/** What so many machines do not meet, as in "3 machines …": of the queues of batch systems in the words of these. */
export function unmetText(unmet: {
  readonly machines: number;
  readonly part: string;
  readonly has: string;
}): string {
  const { machines, part, has } = unmet;
  return queueText(unmet) ?? `${machines === 1 ? "does" : "do"} not meet ${part}: ${has}`;
}

/** Null: the part is not about queues. */
export function queueText({
  machines,
  part,
}: {
  readonly machines: number;
  readonly part: string;
}): string | null {
  const is = machines === 1 ? "is" : "are";
  const other = OF_NO_QUEUE.exec(part);
  if (other !== null) return `${is} for jobs of the queue ${other[1]}`;
  const queues = part
    .replace(/^\((.*)\)$/, "$1")
    .split("||")
    .map((each) => OF_QUEUE.exec(each.trim())?.[1]);
  if (queues.includes(undefined)) return null;
  return queues.length === 1
    ? `${is} not in the queue ${queues[0]}`
    : `${is} in none of the queues ${queues.join(", ")}`;
}
