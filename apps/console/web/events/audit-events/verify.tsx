import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import type { ApiAnswer } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Text } from '../../design/kit.tsx';
import { Save } from '../../design/save-file.tsx';

type Part = OperationResult<'verifyAuditEvents'>;

/** Verifies the whole log, part by part, until a part has findings. */
const verifyAll = async (): Promise<ApiAnswer<Part>> => {
  let [intact, not_covered] = [0, 0];
  for (let from = 0; ; ) {
    const answer = await client.request('verifyAuditEvents', { body: { from_sequence: from } });
    if (!answer.ok) return answer;
    const { record_parts, next_sequence } = answer.body;
    intact += record_parts.intact;
    not_covered += record_parts.not_covered;
    if (!answer.body.intact || next_sequence === null)
      return { ok: true, body: { ...answer.body, record_parts: { ...record_parts, intact, not_covered } } };
    from = next_sequence;
  }
};

const recordsText = ({ intact, not_covered }: Part['record_parts']): string => {
  const uncovered = not_covered === 0 ? '' : ` ${not_covered} were recorded by an earlier release without digests.`;
  return `${intact} decisions and outcomes match their events.${uncovered}`;
};

const listWords = ({ intact, tree_size, record_parts }: Part): string => {
  if (!intact) return 'The record was changed after it was sealed:';
  if (tree_size === 0) return 'No event is sealed yet. Is the worker running?';
  return `The record is intact: all ${tree_size} sealed events match the signed log. ${recordsText(record_parts)}`;
};

/** A button that verifies the record, and the result. */
export const Verify = (): ReactNode => {
  const [result, setResult] = useState<Part>();
  return (
    <section aria-label="Verification">
      <ActionButton does="Verify record" send={verifyAll} then={setResult} />
      <div role="status">
        {result ? (
          <>
            <Text fw={600}>{listWords(result)}</Text>
            <ul className="findings">
              {result.findings.map(({ kind, sequence, event_id, says }) => (
                <li key={`${kind} ${sequence} ${event_id} ${says}`}>{says}</li>
              ))}
            </ul>
            {result.checkpoint === null ? null : (
              <Save text={result.checkpoint} name="checkpoint.txt">
                Download checkpoint
              </Save>
            )}
          </>
        ) : null}
      </div>
    </section>
  );
};
