import type { EngineEvent, PlainRequest } from "../../core/index.ts";

/** The events about a job that name no more than the job. */
export type AnswerType = "started" | "suspended" | "resumed" | "killed" | "exited" | "arrived";

type Reused<Type extends EngineEvent["type"]> = {
  -readonly [Field in "type" | "at" | "job"]: Field extends "type" ? Type : number;
};

/**
 * The events of a run, one object a type: a run reports millions, and none of them is kept. All have the same fields in
 * the same order, so that whoever reads them meets two shapes.
 */
export class Events {
  private readonly answers: { readonly [Type in AnswerType]: Reused<Type> } = {
    exited: { type: "exited", at: 0, job: 0 },
    started: { type: "started", at: 0, job: 0 },
    suspended: { type: "suspended", at: 0, job: 0 },
    resumed: { type: "resumed", at: 0, job: 0 },
    killed: { type: "killed", at: 0, job: 0 },
    arrived: { type: "arrived", at: 0, job: 0 },
  };
  private readonly submission = {
    type: "submitted" as const,
    at: 0,
    job: 0,
    request: null as unknown as PlainRequest,
  };

  about(type: AnswerType, job: number, now: number): EngineEvent {
    const event = this.answers[type];
    event.at = now;
    event.job = job;
    return event;
  }

  /** Its number is the port's to give: a handle. */
  submitted(request: PlainRequest, now: number): EngineEvent {
    const event = this.submission;
    event.at = now;
    event.request = request;
    return event;
  }
}
