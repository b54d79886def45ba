import type { Syntax } from "./advice.ts";
import { changeText, PresentSettings } from "./present.ts";

/** Long comments are no trouble to YAML; a name is at most 253 characters. */
const PROFILE = /^\s*(?:-\s+)?schedulerName:\s*["']?([\w.-]+)["']?\s*$/;

/** A kube-scheduler's configuration, in which the profile is one of a list. */
export function schedulerSyntax(profile: readonly string[]): Syntax {
  return {
    read(text) {
      if (!/^kind:\s*KubeSchedulerConfiguration\s*$/m.test(text)) return null;
      const present = new PresentSettings();
      present.place("");
      for (const line of text.split(/\r?\n/)) {
        const name = PROFILE.exec(line)?.[1];
        if (name !== undefined) present.set("", `profile ${name}`, "there");
      }
      return present.done();
    },

    write(changes, present) {
      const own = changes.flatMap((change) => [`# ${changeText(change)}`]);
      if (present !== null)
        return [
          ...own,
          "# To be added to the profiles that are there, in place of one of the same name:",
          ...profile,
        ];
      return [
        ...own,
        "apiVersion: kubescheduler.config.k8s.io/v1",
        "kind: KubeSchedulerConfiguration",
        "clientConnection:",
        "  # What --kubeconfig says now (kubeadm's is this): with --config that option no longer counts, and a",
        "  # scheduler that finds no cluster schedules nothing.",
        "  kubeconfig: /etc/kubernetes/scheduler.conf",
        "profiles:",
        "  # What pods name that name none: without it nobody would schedule them.",
        "  - schedulerName: default-scheduler",
        ...profile,
      ];
    },

    back: () => ["# Take the profile croft out, once no waiting pod names it."],
  };
}

/** A ClusterQueue. */
export const clusterQueueSyntax: Syntax = {
  read(text) {
    if (!/^\s*kind:\s*ClusterQueue\s*$/m.test(text)) return null;
    const present = new PresentSettings();
    present.place("");
    const value = /^\s+queueingStrategy:\s*["']?(\w+)["']?\s*$/m.exec(text)?.[1];
    if (value !== undefined) present.set("", "queueingStrategy", value);
    return present.done();
  },
  write: (changes) =>
    changes.flatMap((change) => [`# ${changeText(change)}`, ...spec(change.setting.value!)]),
  back: (changes) => changes.flatMap(({ setting, was }) => spec(was ?? setting.byDefault!)),
};

function spec(value: string): string[] {
  return ["spec:", `  queueingStrategy: ${value}`];
}
