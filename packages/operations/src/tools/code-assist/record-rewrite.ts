import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';

/** Facts about a request to code assist. Never a source, and no text of a model. */
export type RewriteRecord = {
  readonly proposal_id: string;
  readonly model: string;
  readonly language: string;
  readonly file_hash: string;
  readonly source_hash: string;
  readonly keys: readonly string[];
  readonly outcome: 'PROPOSED' | 'REFUSED' | 'FAILED';
  readonly input_tokens: number;
  readonly output_tokens: number;
};

export const recordRewrite = async ({ emit }: Pick<Change<'code_assist.requested'>, 'emit'>, record: RewriteRecord) => {
  const { proposal_id, keys, ...after } = record;
  emit('code_assist.requested', { ...about.code_assist({ id: proposal_id }), data: { after: { ...after, keys: [...keys] } } });
  return { proposal_id };
};
