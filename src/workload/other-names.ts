/** What else batch systems are called, where a format or an export is asked for by name. */
const otherNames: Readonly<Record<string, string>> = {
  gridengine: "grid-engine",
  condor: "htcondor",
  "condor-json": "htcondor-json",
};

/** The name in Croft of what is called `name`, in any case. */
export function usualName(name: string): string {
  const small = name.toLowerCase();
  return Object.hasOwn(otherNames, small) ? otherNames[small]! : small;
}
