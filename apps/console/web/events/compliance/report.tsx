import { Button, NativeSelect, Text, TextInput, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import { faultOf } from '../../data/faults.ts';
import type { Session } from '../../data/session.ts';
import { Form } from '../../design/form.tsx';
import { Problem } from '../../design/problem.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { ControlPart, FrameworkPart } from './parts.tsx';
import { type Report, STATE_WORDS, type State } from './report-words.ts';

const FRAMEWORKS = [
  { value: '', label: 'all' },
  { value: 'OWASP_AGENTIC', label: 'OWASP Top 10 for Agentic Applications' },
  { value: 'EU_AI_ACT', label: 'EU AI Act' },
  { value: 'ISO_42001', label: 'ISO/IEC 42001' },
  { value: 'SOC_2', label: 'SOC 2' },
];
const PATH = '/v1/compliance/report';
const DAY_MS = 86_400_000;

/** A day of a field as the plane takes it; the last day of a period belongs to it. */
const timeOf = (day: string | undefined, days: number): readonly string[] =>
  day ? [new Date(Date.parse(day) + days * DAY_MS).toISOString()] : [];

const queryOf = ({ framework, from, to }: Readonly<Record<string, string>>): string => {
  const asked = [
    ...(framework ? [['framework', framework]] : []),
    ...timeOf(from, 0).map((at) => ['from', at]),
    ...timeOf(to, 1).map((at) => ['to', at]),
  ];
  return asked.length === 0 ? PATH : `${PATH}?${new URLSearchParams(asked)}`;
};

const Shown = ({ report }: { readonly report: Report }): ReactNode => (
  <>
    <Text>{report.says}</Text>
    <Text role="status">
      <Time at={report.period.from} /> to <Time at={report.period.to} />, made <Time at={report.generated_at} />:{' '}
      {Object.entries(report.counts)
        .map(([state, count]) => `${count} ${STATE_WORDS[state as State]}`)
        .join(', ')}
    </Text>
    {report.frameworks.map((framework) => (
      <FrameworkPart key={framework.name} of={framework} controls={report.controls} />
    ))}
    <Title order={2} size="h4">
      Controls
    </Title>
    {report.controls.map((control) => (
      <ControlPart key={control.name} of={control} />
    ))}
  </>
);

/** What is configured and recorded, mapped to four frameworks; to be read, and to be printed. */
export const Compliance = ({ session }: { readonly session: Session }): ReactNode => {
  const [report, setReport] = useState<Report>();
  const [error, setError] = useState<ApiError>();
  useEffect(() => {
    const look = async (): Promise<void> => {
      const answer = await call<Report>('GET', PATH);
      setError(answer.ok ? undefined : answer.error);
      if (answer.ok) setReport(answer.body);
    };
    void look();
  }, []);
  return (
    <ConsolePage title="Compliance report">
      <Text>{session.organization.name}</Text>
      <div className="unprinted">
        <Form<Report>
          submit="Show the report"
          send={(values) => call('GET', queryOf(values))}
          then={setReport}
          fields={(error) => (
            <>
              <NativeSelect name="framework" label="Framework" data={FRAMEWORKS} />
              <TextInput name="from" type="date" label="From" error={faultOf(error, 'from')} />
              <TextInput name="to" type="date" label="To, this day included" error={faultOf(error, 'to')} />
            </>
          )}
        />
        <Button variant="default" mt="sm" onClick={() => print()}>
          Print
        </Button>
      </div>
      <Problem error={error} />
      {report ? <Shown report={report} /> : null}
      {report || error ? null : <Text role="status">The report is being counted.</Text>}
    </ConsolePage>
  );
};
