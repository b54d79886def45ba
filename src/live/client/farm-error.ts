/** The farm has refused, or failed. */
export class FarmError extends Error {
  override readonly name = "FarmError";
  /** As HTTP has it; 0: there was no answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The connection broke before there was an answer: what was asked may have been done. */
export class LostAnswer extends FarmError {}
/** Its socket is not this user's to open. */
export class OthersFarm extends FarmError {}
/** Nobody answers there. */
export class NoAnswer extends FarmError {
  /** Whether a farm was there before: its socket is, or the folder of that. */
  readonly wasThere: "socket" | "folder" | "not";

  constructor(message: string, wasThere: NoAnswer["wasThere"]) {
    super(0, message);
    this.wasThere = wasThere;
  }
}
