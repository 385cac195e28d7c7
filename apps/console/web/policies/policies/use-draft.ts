import { useEffect, useState } from 'react';
import { readText } from './use-policy-check.ts';

const UNDONE_MAX = 50;

const draftKey = (policyId: string): string => `svc-policy-draft-${policyId}`;

/** The text that was not saved yet, kept by this tab. Storage may be refused by the browser's privacy settings. */
const readKept = (policyId: string): string | undefined => {
  try {
    return sessionStorage.getItem(draftKey(policyId)) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
};
const keep = (policyId: string, text: string | undefined): void => {
  try {
    if (text === undefined) sessionStorage.removeItem(draftKey(policyId));
    else sessionStorage.setItem(draftKey(policyId), text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
};

const isReadable = (text: string): boolean => typeof readText(text) !== 'string';

export type DraftText = {
  readonly text: string;
  /** The last text that could be read, which the builder shows while the present one cannot. */
  readonly readable: string;
  readonly isChanged: boolean;
  readonly set: (text: string) => void;
  /** Sets the text as a step that can be undone. */
  readonly step: (text: string) => void;
  readonly undo: (() => void) | undefined;
};

/** The text of a draft, kept by the tab until it is saved. */
export const useDraft = (policyId: string, saved: string): DraftText => {
  const [text, setText] = useState(() => readKept(policyId) ?? saved);
  const [readable, setReadable] = useState(() => (isReadable(text) ? text : saved));
  const [past, setPast] = useState<readonly string[]>([]);
  const isChanged = text !== saved;
  useEffect(() => keep(policyId, isChanged ? text : undefined), [policyId, text, isChanged]);
  const set = (next: string): void => {
    setText(next);
    if (isReadable(next)) setReadable(next);
  };
  const previous = past.at(-1);
  return {
    text,
    readable,
    isChanged,
    set,
    step: (next) => {
      setPast([...past.slice(1 - UNDONE_MAX), text]);
      set(next);
    },
    undo:
      previous === undefined
        ? undefined
        : () => {
            setPast(past.slice(0, -1));
            set(previous);
          },
  };
};
