import type { ServiceError } from '@svc/client/errors.ts';
import { useEffect, useRef, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { refresh } from '../../data/use-operation.ts';
import { getNewest, getText, type Policy } from './policy.ts';
import type { DraftText } from './use-draft.ts';
import { readText } from './use-policy-check.ts';

type Saving = {
  /** Number of the version that the draft is based on. */
  readonly base: number | undefined;
  /** Bases the draft on the newest version, so that saving replaces it. */
  readonly rebase: () => void;
  readonly save: () => void;
  readonly error: ServiceError | undefined;
  readonly isPending: boolean;
};

/** Saves the draft as a new version, by a button or by Ctrl-S. */
export const useSaveDraft = (policy: Policy, draft: DraftText, announce: (text: string) => void): Saving => {
  const newest = getNewest(policy)?.version_number;
  const [base, setBase] = useState(newest);
  const { run, error, isPending } = useMutation(
    (read: object) =>
      client.request('updatePolicy', {
        params: { policyId: policy.id },
        body: { ...read, ...(base === undefined ? {} : { expected_version: base }) } as OperationBody<'updatePolicy'>,
      }),
    (changed) => {
      const version = changed.versions[0];
      setBase(version?.version_number);
      draft.set(getText(version));
      announce(`Saved as version ${version?.version_number}, a draft.`);
      void refresh('getPolicy', 'listPolicies', 'listPolicyVersions');
    },
  );
  const save = (): void => {
    const read = readText(draft.text);
    if (typeof read !== 'string' && draft.isChanged) void run(read);
  };
  const current = useRef(save);
  current.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      current.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return { base, rebase: () => setBase(newest), save, error, isPending };
};
