import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Answer, call } from '../../data/call.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Save } from '../../design/save-file.tsx';

type Finding = { readonly kind: string; readonly sequence: number | null; readonly event_id: string | null; readonly says: string };
type Part = {
  readonly intact: boolean;
  readonly next_sequence: number | null;
  readonly tree_size: number;
  readonly checkpoint: string | null;
  readonly findings: readonly Finding[];
  readonly record_parts: { readonly intact: number; readonly not_covered: number };
};

/** Looks at the whole log, one part after the other, as far as it goes without something being found. */
const verifyAll = async (): Promise<Answer<Part>> => {
  let [intact, not_covered] = [0, 0];
  for (let from = 0; ; ) {
    const answer = await call<Part>('POST', '/v1/audit-events/verify', { from_sequence: from });
    if (!answer.ok) return answer;
    const { record_parts, next_sequence } = answer.body;
    intact += record_parts.intact;
    not_covered += record_parts.not_covered;
    if (!answer.body.intact || next_sequence === null)
      return { ...answer, body: { ...answer.body, record_parts: { intact, not_covered } } };
    from = next_sequence;
  }
};

const recordsText = ({ intact, not_covered }: Part['record_parts']): string => {
  const uncovered = not_covered === 0 ? '' : ` ${not_covered} were recorded by a release that wrote no digests.`;
  return `${intact} decisions and outcomes match the events about them.${uncovered}`;
};

const wordsOf = ({ intact, tree_size, record_parts }: Part): string => {
  if (!intact) return 'The record is not as it was sealed:';
  if (tree_size === 0) return 'Nothing is sealed yet, so there is nothing to compare. Is the worker running?';
  return `The record is whole: all ${tree_size} events that are sealed are as they were, in their places, and the log is the one that was signed. ${recordsText(record_parts)}`;
};

/** What one comparison told, in words. */
export const Verify = (): ReactNode => {
  const [told, setTold] = useState<Part>();
  return (
    <section aria-label="Verification">
      <ActionButton does="Verify the record" send={verifyAll} then={setTold} />
      <div role="status">
        {told ? (
          <>
            <Text fw={600}>{wordsOf(told)}</Text>
            <ul className="findings">
              {told.findings.map(({ kind, sequence, event_id, says }) => (
                <li key={`${kind} ${sequence} ${event_id} ${says}`}>{says}</li>
              ))}
            </ul>
            {told.checkpoint === null ? null : (
              <Save text={told.checkpoint} name="checkpoint.txt">
                Download the checkpoint
              </Save>
            )}
          </>
        ) : null}
      </div>
    </section>
  );
};
