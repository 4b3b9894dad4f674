/** The members of a bid that the tag reads. `mtype`: 1 banner, 2 video, 4 native. */
export interface Bid {
  readonly impid: string;
  /** Campaign. */
  readonly cid?: string;
  /** Creative. */
  readonly crid?: string;
  readonly adm: string;
  readonly mtype: number;
  readonly w?: number;
  readonly h?: number;
  /** The signals of privacy with which it was requested, as a query. */
  readonly privacy: string;
  readonly ext: { readonly ems_link: string; readonly dsaurl?: string };
}
