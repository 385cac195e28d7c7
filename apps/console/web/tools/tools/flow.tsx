import { NativeSelect } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { REACHES, type Reach, SIDE_EFFECTS, type SideEffects } from '@svc/contract/risk/flow-words.ts';
import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client, type OperationBody } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Unread } from '../../design/unread.tsx';
import type { Tool } from './tool.ts';

type Flow = OperationResult<'getToolFlow'>;

const UNDECLARED = '';
const TEXT_CHARS_MAX = 4_000;
const POINTER_CHARS_MAX = 300;

const REACH_NAMES: Readonly<Record<Reach, string>> = {
  INTERNAL: 'Stays inside the organization',
  EXTERNAL: 'Leaves the organization',
  PUBLIC: 'Anyone can read it',
};
const SIDE_EFFECT_NAMES: Readonly<Record<SideEffects, string>> = {
  NONE: 'None',
  REVERSIBLE: 'Reversible',
  IRREVERSIBLE: 'Irreversible',
};

const splitList = (text = ''): string[] => text.split(/[\s,]+/).filter((each) => each !== '');
const orNull = <Word extends string>(text: string | undefined): Word | null =>
  text === undefined || text.trim() === '' ? null : (text.trim() as Word);

/** The whole declaration, as the form states it: what is empty is not declared. */
const readFlow = (values: Values): OperationBody<'declareToolFlow'> => ({
  labels: splitList(values.labels),
  reach: orNull<Reach>(values.reach),
  readers_from: splitList(values.readers_from),
  readers: splitList(values.readers),
  recipient_from: orNull(values.recipient_from),
  record_from: orNull(values.record_from),
  side_effects: orNull<SideEffects>(values.side_effects),
  store_key_from: orNull(values.store_key_from),
  load_key_from: orNull(values.load_key_from),
  reason: values.reason ?? '',
});

type FieldsProps = { readonly flow: Flow; readonly error: ApiError | undefined };

const StoreFields = ({ flow, error }: FieldsProps): ReactNode => (
  <fieldset className="boxes">
    <legend>Store</legend>
    <TextField
      error={error}
      name="store_key_from"
      label="Stores under"
      description="Pointer to the key of a request that stores data, such as a path. The key keeps the labels of the agent for every agent of the environment."
      placeholder="/path"
      required={false}
      maxLength={POINTER_CHARS_MAX}
      defaultValue={flow.store_key_from ?? ''}
    />
    <TextField
      error={error}
      name="load_key_from"
      label="Reads from"
      description="Pointer to the key whose data a request reads. The agent gets the labels that the key keeps."
      placeholder="/path"
      required={false}
      maxLength={POINTER_CHARS_MAX}
      defaultValue={flow.load_key_from ?? ''}
    />
  </fieldset>
);

const Fields = ({ flow, error }: FieldsProps): ReactNode => (
  <>
    <TextField
      error={error}
      name="labels"
      label="Labels of its results"
      description="personal_data, secret, internal, untrusted_content or your own, separated by commas."
      placeholder="personal_data"
      required={false}
      maxLength={TEXT_CHARS_MAX}
      defaultValue={flow.labels.join(', ')}
    />
    <NativeSelect
      name="reach"
      label="What it is given"
      data={[{ value: UNDECLARED, label: 'As the destination says' }, ...REACHES.map((value) => ({ value, label: REACH_NAMES[value] }))]}
      defaultValue={flow.reach ?? UNDECLARED}
      error={findFault(error, 'reach')}
    />
    <TextField
      error={error}
      name="recipient_from"
      label="Recipient"
      description="Pointer to the person to whom a request sends."
      placeholder="/to"
      required={false}
      maxLength={POINTER_CHARS_MAX}
      defaultValue={flow.recipient_from ?? ''}
    />
    <TextField
      error={error}
      name="readers_from"
      label="Whom the data is about"
      description="Pointers, separated by commas. These people may receive the data."
      placeholder="/customer"
      required={false}
      maxLength={TEXT_CHARS_MAX}
      defaultValue={flow.readers_from.join(', ')}
    />
    <TextField
      error={error}
      name="readers"
      label="Hosts that may receive the data"
      required={false}
      maxLength={TEXT_CHARS_MAX}
      defaultValue={flow.readers.join(', ')}
    />
    <TextField
      error={error}
      name="record_from"
      label="Record"
      description="Pointer to the record that a request reads. Reading unusually many raises the risk."
      placeholder="/customer"
      required={false}
      maxLength={POINTER_CHARS_MAX}
      defaultValue={flow.record_from ?? ''}
    />
    <NativeSelect
      name="side_effects"
      label="Effects outside"
      data={[{ value: UNDECLARED, label: 'Not declared' }, ...SIDE_EFFECTS.map((value) => ({ value, label: SIDE_EFFECT_NAMES[value] }))]}
      defaultValue={flow.side_effects ?? UNDECLARED}
      error={findFault(error, 'side_effects')}
    />
    <StoreFields flow={flow} error={error} />
    <TextField error={error} name="reason" label="Reason" maxLength={500} />
  </>
);

/** The declared members, with the names of the form. */
const listFacts = (flow: Flow): (readonly [string, string])[] => {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Labels of its results', flow.labels.join(', ')],
    ['What it is given', flow.reach === null ? null : REACH_NAMES[flow.reach]],
    ['Recipient', flow.recipient_from],
    ['Whom the data is about', flow.readers_from.join(', ')],
    ['Hosts that may receive the data', flow.readers.join(', ')],
    ['Record', flow.record_from],
    ['Effects outside', flow.side_effects === null ? null : SIDE_EFFECT_NAMES[flow.side_effects]],
    ['Stores under', flow.store_key_from],
    ['Reads from', flow.load_key_from],
  ];
  return facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]));
};

type DataFlowProps = { readonly tool: Tool; readonly session: Session; readonly done: (text: string) => void };

/** What flows through the tool, and what its store keeps, as a person declared it. */
export const DataFlow = ({ tool, session, done }: DataFlowProps): ReactNode => {
  const { data: flow, error } = useOperation('getToolFlow', { params: { toolId: tool.id } });
  if (flow === undefined) return <Unread error={error} lines={3} />;
  const facts = listFacts(flow);
  return (
    <>
      {facts.length === 0 ? <p>Nothing is declared. Flow rules count the results as data without labels.</p> : <Facts facts={facts} />}
      {may(session, 'tool:update') ? (
        <DialogButton label="Declare data flow">
          {(close) => (
            <Form
              submit="Save"
              send={(values) => client.request('declareToolFlow', { params: { toolId: tool.id }, body: readFlow(values) })}
              then={() => {
                close();
                done('The data flow is declared.');
                void refresh('getToolFlow', 'getTool');
              }}
              fields={(fault) => <Fields flow={flow} error={fault} />}
            />
          )}
        </DialogButton>
      ) : null}
    </>
  );
};
