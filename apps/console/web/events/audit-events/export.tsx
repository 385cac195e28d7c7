import { NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { client, type OperationBody, readDownload } from '../../data/client.ts';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { saveFile } from '../../design/save-file.tsx';
import type { Filter } from './audit-filter.ts';

const FORMATS = [
  { value: 'JSONL', label: 'JSON Lines (can be verified offline)', ending: 'jsonl' },
  { value: 'CSV', label: 'CSV', ending: 'csv' },
  { value: 'OCSF', label: 'OCSF 1.3', ending: 'ocsf.jsonl' },
];

/** The filter of the search, as an export takes it. */
const getBody = ({ from, to, type, ...rest }: Filter, format: string): OperationBody<'exportAuditEvents'> =>
  ({
    format,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    filter: { ...rest, ...(type === undefined ? {} : { type: type.split(',') }) },
  }) as OperationBody<'exportAuditEvents'>;

/** Downloads the sealed events that match the search. */
export const Export = ({ filter }: { readonly filter: Filter }): ReactNode => {
  const [said, setSaid] = useState('');
  const send = async ({ format = 'JSONL' }: Readonly<Record<string, string>>) => {
    const answer = await readDownload(await client.request('exportAuditEvents', { body: getBody(filter, format) }));
    if (!answer.ok) return answer;
    saveFile(answer.body, `audit-events.${FORMATS.find(({ value }) => value === format)?.ending ?? 'txt'}`);
    return answer;
  };
  return (
    <section aria-label="Export">
      <Form
        submit="Export results"
        send={send}
        then={() => setSaid('Exported. A complete file ends with its manifest.')}
        fields={() => <NativeSelect name="format" label="Format" data={FORMATS.map(({ value, label }) => ({ value, label }))} />}
      />
      <Text role="status" className="said">
        {said}
      </Text>
    </section>
  );
};
