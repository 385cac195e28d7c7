import { NativeSelect, TextInput } from '@mantine/core';
import type { OperationInput } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Form, type Values } from '../../design/form.tsx';
import { Button, Text, Title } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { ControlPart, FrameworkPart } from './parts.tsx';
import { type Report, STATE_WORDS, type State } from './report-words.ts';

const FRAMEWORKS = [
  { value: '', label: 'All' },
  { value: 'OWASP_AGENTIC', label: 'OWASP Top 10 for Agentic Applications' },
  { value: 'EU_AI_ACT', label: 'EU AI Act' },
  { value: 'ISO_42001', label: 'ISO/IEC 42001' },
  { value: 'SOC_2', label: 'SOC 2' },
];
const DAY_MS = 86_400_000;

type Query = NonNullable<OperationInput<'getComplianceReport'>['query']>;

/** The start of a day that a field names, so many days later; undefined where the field is empty. */
const getTime = (day: string | undefined, daysLater: number): string | undefined =>
  day ? new Date(Date.parse(day) + daysLater * DAY_MS).toISOString() : undefined;

/** The query of the form's fields. The last day belongs to the period. */
const buildQuery = ({ framework, from, to }: Values): Query => {
  const entries = Object.entries({ framework: framework || undefined, from: getTime(from, 0), to: getTime(to, 1) });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Query;
};

const Shown = ({ report }: { readonly report: Report }): ReactNode => (
  <>
    <Text>{report.says}</Text>
    <Text role="status">
      <Time at={report.period.from} /> to <Time at={report.period.to} /> · generated <Time at={report.generated_at} />:{' '}
      {Object.entries(report.counts)
        .map(([state, count]) => `${count} ${STATE_WORDS[state as State].toLowerCase()}`)
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

const PeriodForm = ({ onReport }: { readonly onReport: (report: Report) => void }): ReactNode => (
  <Form
    submit="Show report"
    send={(values) => client.request('getComplianceReport', { query: buildQuery(values) })}
    then={onReport}
    fields={(error) => (
      <div className="columns">
        <NativeSelect name="framework" label="Framework" data={FRAMEWORKS} />
        <TextInput name="from" type="date" label="From" error={findFault(error, 'from')} />
        <TextInput name="to" type="date" label="To (inclusive)" error={findFault(error, 'to')} />
      </div>
    )}
  />
);

/** The compliance report: configuration and records mapped to four frameworks, to read and to print. */
export const Compliance = ({ session }: { readonly session: Session }): ReactNode => {
  const { data, error } = useOperation('getComplianceReport', {});
  const [chosen, setChosen] = useState<Report>();
  const report = chosen ?? data;
  const actions = (
    <Button className="unprinted" variant="default" onClick={() => print()}>
      Print
    </Button>
  );
  return (
    <ConsolePage title="Compliance report" actions={actions}>
      <Text>{session.organization.name}</Text>
      <div className="unprinted">
        <PeriodForm onReport={setChosen} />
      </div>
      <Problem error={error ?? undefined} />
      {report ? <Shown report={report} /> : null}
      {report || error ? null : <Skeleton lines={8} />}
    </ConsolePage>
  );
};
