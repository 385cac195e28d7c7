import { NativeSelect, NumberInput } from '@mantine/core';
import {
  getConditionRow,
  RULE_CONDITION_NAMES,
  RULE_CONDITIONS,
  type RuleCondition,
  type RuleKey,
} from '@svc/contract/incidents/incident-rules/conditions.ts';
import { INCIDENT_SEVERITIES, type IncidentSeverity } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import type { LabelledEnvironment } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import { SEVERITY_NAMES } from '../../data/severity-names.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { CONDITION_NAMES, KEY_NAMES } from './rule-words.ts';

const REASON_CHARS_MAX = 1_000;
const COUNT_MAX = 100;
const SECONDS_MAX = 86_400;

const readBody = (condition: RuleCondition, values: Values) => ({
  environment_id: values.environment_id ?? '',
  name: values.name ?? '',
  condition,
  key: values.key as RuleKey,
  severity: values.severity as IncidentSeverity,
  ...(values.score === undefined ? {} : { score: Number(values.score) }),
  ...(values.code === undefined ? {} : { code: values.code }),
  count: Number(values.count),
  within_seconds: Number(values.within_seconds),
  ...(values.contain === undefined ? {} : { contain: 'PAUSE_AGENT' as const }),
  reason: values.reason ?? '',
});

type NumberFieldProps = {
  readonly error: ApiError | undefined;
  readonly name: string;
  readonly label: string;
  readonly max: number;
  readonly start: number;
};

const NumberField = ({ error, name, label, max, start }: NumberFieldProps): ReactNode => (
  <NumberInput
    name={name}
    label={label}
    min={1}
    max={max}
    defaultValue={start}
    allowDecimal={false}
    thousandSeparator=""
    hideControls
    error={findFault(error, name)}
  />
);

type FieldsProps = {
  readonly error: ApiError | undefined;
  readonly condition: RuleCondition;
  readonly choose: (condition: RuleCondition) => void;
};

const ConditionFields = ({ error, condition, choose }: FieldsProps): ReactNode => {
  const { keys, needs } = getConditionRow(condition);
  return (
    <>
      <NativeSelect
        name="condition"
        label="Condition"
        description={RULE_CONDITIONS[condition].description}
        data={RULE_CONDITION_NAMES.map((value) => ({ value, label: CONDITION_NAMES[value] }))}
        value={condition}
        onChange={({ currentTarget }) => choose(currentTarget.value as RuleCondition)}
      />
      {needs === 'score' ? <NumberField error={error} name="score" label="Score from" max={100} start={70} /> : null}
      {needs === 'code' ? <TextField error={error} name="code" label="Code" placeholder="DESTINATION_BLOCKED" maxLength={64} /> : null}
      <NumberField error={error} name="count" label="Number of findings" max={COUNT_MAX} start={1} />
      <NumberField error={error} name="within_seconds" label="Within seconds" max={SECONDS_MAX} start={300} />
      <NativeSelect
        key={condition}
        name="key"
        label="One incident for each"
        data={keys.map((value) => ({ value, label: KEY_NAMES[value] }))}
      />
    </>
  );
};

type CreateRuleProps = {
  readonly environments: readonly LabelledEnvironment[];
  readonly mayPause: boolean;
  readonly done: (text: string) => void;
};

/** A form for a rule. Its condition cannot be changed later. */
export const CreateRule = ({ environments, mayPause, done }: CreateRuleProps): ReactNode => {
  const [condition, setCondition] = useState<RuleCondition>('REFUSALS');
  return (
    <Form
      submit="Create rule"
      send={(values) => client.request('createIncidentRule', { body: readBody(condition, values) })}
      then={({ name }) => done(`${name} is created.`)}
      fields={(error) => (
        <>
          <TextField error={error} name="name" label="Name, and title of its incidents" />
          <NativeSelect
            name="environment_id"
            label="Environment"
            data={getEnvironmentOptions(environments)}
            error={findFault(error, 'environment_id')}
          />
          <ConditionFields error={error} condition={condition} choose={setCondition} />
          <NativeSelect
            name="severity"
            label="Severity"
            data={INCIDENT_SEVERITIES.map((value) => ({ value, label: SEVERITY_NAMES[value] }))}
            defaultValue="MEDIUM"
          />
          {mayPause ? <Checkbox name="contain" label="Pause the agent" error={findFault(error, 'contain')} /> : null}
          <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />
        </>
      )}
    />
  );
};
