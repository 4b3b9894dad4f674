import type { StoredFacts, StoredMarks } from '../storage/sql/cluster-schema.ts';
import { HOT_STORE_MARK, SHARED_FACTS } from './node-facts.ts';

/** What a node must agree with. */
export interface ClusterMarks {
  readonly keyMark: string;
  readonly secrets: Readonly<Record<string, StoredMarks>>;
  readonly facts: StoredFacts;
}

/** What a node has. */
export interface NodeMarks {
  /** The mark of its cluster key; null: it has none. */
  readonly keyMark: string | null;
  /** Empty without a cluster key. */
  readonly secrets: Readonly<Record<string, StoredMarks>>;
  /** A fact that is not known at present is absent, and not compared. */
  readonly facts: StoredFacts;
  /** Secrets that the settings hold, with the variable of each. */
  readonly fromSettings: Readonly<Record<string, string>>;
}

/** Every difference of a node from its cluster, each with what to do about it. None: the node may serve. */
export function compareNode(own: NodeMarks, cluster: ClusterMarks): string[] {
  if (own.keyMark === null) {
    return [
      'this node does not have the cluster key: run "placard cluster token" on a node of the cluster, then "placard cluster join" here with that token, and start again',
    ];
  }
  if (own.keyMark !== cluster.keyMark) {
    return [
      `the cluster key of this node (fingerprint ${own.keyMark}) is not the cluster's (${cluster.keyMark}): run "placard cluster token" on a node of the cluster, then "placard cluster join" here with that token, and start again`,
    ];
  }
  return [...compareSecrets(own, cluster), ...compareFacts(own.facts, cluster.facts)];
}

/** Each key of the cluster has to be here; further link keys, of a rotation that begins here, do no harm. */
function compareSecrets(own: NodeMarks, cluster: ClusterMarks): string[] {
  return Object.entries(own.secrets).flatMap(([name, marks]) => {
    const wanted = Object.entries(cluster.secrets[name] ?? {});
    const missing = wanted.filter(([key, mark]) => marks[key] !== mark);
    if (missing.length === 0) return [];
    const variable = own.fromSettings[name];
    const advice =
      variable === undefined
        ? 'run "placard cluster join" here and start again'
        : `set ${variable} as on the other nodes and start again, or run "placard cluster adopt" here if this one is right`;
    return [`its ${name} (${show(Object.entries(marks))}) is not the cluster's (${show(wanted)}): ${advice}`];
  });
}

/** What is wrong with a node that runs on another machine as well. */
export function twinProblem(nodeId: string, host: string): string {
  return `node ${nodeId} runs on the machine ${host} as well: this data folder is a copy of that one's, or its machine was replaced less than 15 s ago. If it is a copy, stop this node, delete the file "node-id", the spool and the ledger of its data folder, and start it again`;
}

function show(marks: readonly (readonly [string, string])[]): string {
  return marks.length === 0 ? 'none' : `fingerprint ${marks.map(([, mark]) => mark).join(', ')}`;
}

function compareFacts(own: StoredFacts, cluster: StoredFacts): string[] {
  return SHARED_FACTS.flatMap(({ name, setting }) => {
    const [here, there] = [own[name], cluster[name]];
    if (here === undefined || there === undefined || here === there) return [];
    const advice = `set ${setting} as on the other nodes and start again, or run "placard cluster adopt" here if this node is right`;
    return name === HOT_STORE_MARK
      ? [
          `its hot store (${own['hot store'] ?? 'unknown'}) is not the cluster's (${cluster['hot store'] ?? 'unknown'}): ${advice}`,
        ]
      : [`its ${name} (${here}) is not the cluster's (${there}): ${advice}`];
  });
}
