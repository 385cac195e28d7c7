/** Progress of a call as reported by its destination. Numbers increase. */
export type Progress = {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string /** A part of the result, of a call whose result comes in parts. */;
  readonly part?: Readonly<Record<string, unknown>>;
};
export type OnProgress = (progress: Progress) => void;
