/** Progress of a call, as its destination reports it. Numbers grow. */
export type Progress = { readonly progress: number; readonly total?: number; readonly message?: string };
export type OnProgress = (progress: Progress) => void;
