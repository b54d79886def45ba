import type { Change, Setting, SettingsFile } from "./advice.ts";

/** What a site has: by place (a queue; empty: the file itself) the values by name, in small letters. */
export type Present = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Enough for any site; more is damage. */
export const MAX_PLACES = 10_000;
export const MAX_SETTINGS = 100_000;

/** Collects what a site has. */
export class PresentSettings {
  private readonly places = new Map<string, Map<string, string>>();
  private count = 0;

  /** @throws {RangeError} for more settings than any site has */
  set(place: string, name: string, value: string): void {
    if (++this.count > MAX_SETTINGS) throw new RangeError(`more than ${MAX_SETTINGS} settings`);
    this.place(place).set(name.toLowerCase(), value);
  }

  /** A place, be it without settings. */
  place(name: string): Map<string, string> {
    let values = this.places.get(name);
    if (values === undefined) {
      if (this.places.size >= MAX_PLACES) throw new RangeError(`more than ${MAX_PLACES} sections`);
      this.places.set(name, (values = new Map()));
    }
    return values;
  }

  done(): Present | null {
    return this.places.size === 0 ? null : this.places;
  }
}

/** The settings that are not as they are to be; all of them where it is unknown what there is. */
export function changesOf({ settings, syntax }: SettingsFile, present: Present | null): Change[] {
  if (present === null) return settings.map((setting) => ({ setting, place: "", was: undefined }));
  const places = [...present.keys()].filter((place) => place !== syntax.parts);
  return places.flatMap((place) =>
    settings.flatMap((setting): Change[] => {
      const values = present.get(setting.within ?? place);
      const was = values?.get(setting.name.toLowerCase()) ?? null;
      const isDone = setting.doneBy !== undefined && values?.has(setting.doneBy.toLowerCase()) === true;
      return isDone || holds(setting, was) ? [] : [{ setting, place, was }];
    }),
  );
}

/** Whether what there is will do. */
function holds({ value, byDefault, isMinimum }: Setting, was: string | null): boolean {
  if (value === null) return was === null;
  const now = was ?? byDefault;
  return isAlike(now, value) || (isMinimum === true && numberIn(now) >= numberIn(value));
}

/** `MAX_RESERVE_TIME[8640]` has one, too. */
function numberIn(text: string | undefined): number {
  return Number(text?.replace(/^\w+\[(\d+)\]$/, "$1"));
}

export function isAlike(one: string | undefined, other: string): boolean {
  const plain = (text: string): string =>
    text
      .replaceAll(/["\s]+/g, " ")
      .trim()
      .toLowerCase();
  return one !== undefined && plain(one) === plain(other);
}

/** `was 1440`, `was not set (1440 by default)`; empty where it is unknown. */
export function wasText({ was, setting: { byDefault } }: Change): string {
  if (was === undefined) return "";
  if (was !== null) return was === "" ? "was set" : `was ${was}`;
  return byDefault === undefined ? "was not set" : `was not set, which means ${byDefault}`;
}

/** What a change is, on a line: what it does, what was there, and what brings it into force. */
export function changeText(change: Change): string {
  const { name, value, does, load } = change.setting;
  const to = value === null ? " taken out" : value === "" ? "" : ` ${value}`;
  const was = wasText(change);
  return `${name}${to}${was === "" ? "" : `, ${was}`}. ${does} In force after: ${load}.`;
}
