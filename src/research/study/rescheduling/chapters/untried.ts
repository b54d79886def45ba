import type { UntriedChapter } from "./chapter.ts";

/** What the simulator cannot answer, and why. */
export const untriedChapters: readonly UntriedChapter[] = [
  {
    name: "data-by-job",
    question: "What does a restart cost where each job brings data of its own size?",
    source: "section 3.3.2",
    notTried:
      "logs do not tell the size of a job's data, and a transfer between two sites takes every job as long: restart-delay tries amounts that are the same for all",
  },
  {
    name: "redundant-from-the-start",
    question: "Does it pay to run a job twice from its submission on?",
    source: "section 4, its references 6 and 13",
    notTried: "second attempts are made at suspended jobs only: see duplication",
  },
  {
    name: "better-resource-found",
    question: "Does it pay to move a running job where a better machine becomes free?",
    source: "section 4, its reference 10",
    notTried: "a strategy is asked about suspended jobs and about jobs that wait, not about running ones",
  },
  {
    name: "predicted-from-history",
    question: "Does it help to predict a job's completion in each pool from what similar jobs took there?",
    source: "section 5",
    notTried:
      "routing and strategies have the run time that the log gives as estimate, or the true one, and learn nothing: see combined-restarts and combined-routing",
  },
  {
    name: "service-levels",
    question: "How should jobs of different service levels, and so prices, be scheduled in public clouds?",
    source: "section 5",
    notTried: "jobs have priorities and no prices, and the paper names no workload to judge it by",
  },
  {
    name: "on-the-platform",
    question: "Do the results hold on the NetBatch platform itself?",
    source: "section 5",
    notTried: "the platform and its trace are not public",
  },
];
