import { NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { callForFile } from '../../data/call.ts';
import { Form } from '../../design/form.tsx';
import { saveFile } from '../../design/save-file.tsx';
import type { Filter } from './asked-filter.ts';

const FORMATS = [
  { value: 'JSONL', label: 'JSON Lines, which can be verified offline', ending: 'jsonl' },
  { value: 'CSV', label: 'CSV', ending: 'csv' },
  { value: 'OCSF', label: 'OCSF 1.3', ending: 'ocsf.jsonl' },
];

/** What the search is narrowed by, as an export takes it. */
const asked = ({ from, to, type, ...rest }: Filter, format: string) => ({
  format,
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  filter: { ...rest, ...(type === undefined ? {} : { type: type.split(',') }) },
});

/** The sealed record as a file, as far as the search shows it. */
export const Export = ({ filter }: { readonly filter: Filter }): ReactNode => {
  const [said, setSaid] = useState('');
  const send = async ({ format = 'JSONL' }: Readonly<Record<string, string>>) => {
    const answer = await callForFile('POST', '/v1/audit-events/export', asked(filter, format));
    if (!answer.ok) return answer;
    saveFile(answer.body, `audit-events.${FORMATS.find(({ value }) => value === format)?.ending ?? 'txt'}`);
    return answer;
  };
  return (
    <section aria-label="Export">
      <Form
        submit="Export what the search shows"
        send={send}
        then={() => setSaid('The export has come. It is whole if it ends with its manifest.')}
        fields={() => <NativeSelect name="format" label="Format" data={FORMATS.map(({ value, label }) => ({ value, label }))} />}
      />
      <Text role="status" className="said">
        {said}
      </Text>
    </section>
  );
};
