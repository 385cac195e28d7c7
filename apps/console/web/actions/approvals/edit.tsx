import { Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { majorText, minorUnits } from '../../data/money-text.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { getShownJson } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { getReplace, type NarrowField, narrowFields } from './narrow-fields.ts';
import type { ApprovalDetails } from './summary.tsx';

type EditProps = { readonly approval: ApprovalDetails; readonly session: Session; readonly done: (text: string) => void };

const doneText = (status: string): string =>
  status === 'APPROVED' ? 'Changed and approved.' : 'Changed. Earlier approvals no longer count.';

/** Parses JSON. Text that is not JSON is sent as it is, and the service refuses it with its position. */
const read = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
};

/** For arguments that no form can show. */
const EditAsJson = ({ approval: { id, wording, parameters }, done }: EditProps): ReactNode => (
  <Form
    submit="Change and approve"
    send={({ parameters: text = '' }) =>
      client.request('editApproval', {
        params: { approvalId: id },
        body: { parameters: read(text), wording } as OperationBody<'editApproval'>,
      })
    }
    then={({ status }) => done(doneText(status))}
    fields={(error) => (
      <Textarea
        name="parameters"
        label="Arguments"
        description="Lower numbers or remove list items, where the tool allows it."
        defaultValue={getShownJson(parameters)}
        rows={10}
        required
        error={findFault(error, 'parameters')}
      />
    )}
  />
);

const getLabel = (pointer: string): string => pointer.slice(1).replaceAll('/', ' › ').replaceAll('_', ' ');

type FieldProps = { readonly field: NarrowField; readonly currency: string | null; readonly error: string | undefined };

const Field = ({ field, currency, error }: FieldProps): ReactNode => {
  if (field.kind === 'number') {
    const shown = field.isAmount ? majorText(field.value, currency) : String(field.value);
    return (
      <TextInput
        name={field.pointer}
        label={field.isAmount && currency !== null ? `Amount (${currency})` : getLabel(field.pointer)}
        description={`At most ${shown}`}
        inputMode="decimal"
        defaultValue={shown}
        required
        error={error}
      />
    );
  }
  const items = field.value.map((item, index) => ({ id: String(index), text: typeof item === 'string' ? item : JSON.stringify(item) }));
  return (
    <fieldset className="boxes">
      <legend>{getLabel(field.pointer)}</legend>
      {items.map(({ id, text }) => (
        <Checkbox key={id} name={field.pointer} value={id} label={text} defaultChecked />
      ))}
    </fieldset>
  );
};

type NarrowProps = EditProps & { readonly fields: readonly NarrowField[] };

const Narrow = ({ approval, fields, done }: NarrowProps): ReactNode => {
  const { id, wording, parameters, amount, currency } = approval;
  const changed = (values: Values, all: (name: string) => readonly string[]): ApprovalDetails['parameters'] =>
    fields.reduce<ApprovalDetails['parameters']>((made, field) => {
      if (field.kind === 'items')
        return getReplace(
          made,
          field.pointer,
          all(field.pointer).map((index) => field.value[Number(index)]),
        ) as ApprovalDetails['parameters'];
      const text = values[field.pointer] ?? '';
      const value = field.isAmount ? minorUnits(text, currency) : Number.isNaN(Number(text)) ? text : Number(text);
      return getReplace(made, field.pointer, value) as ApprovalDetails['parameters'];
    }, parameters);
  const hasStatedAmount = amount !== null && !fields.some((field) => field.kind === 'number' && field.isAmount);
  return (
    <Form
      submit="Change and approve"
      send={(values, all) =>
        client.request('editApproval', {
          params: { approvalId: id },
          body: {
            parameters: changed(values, all),
            wording,
            ...(hasStatedAmount ? { amount: minorUnits(values.amount ?? '', currency) } : {}),
          } as OperationBody<'editApproval'>,
        })
      }
      then={({ status }) => done(doneText(status))}
      fields={(error) => (
        <>
          {hasStatedAmount ? (
            <TextInput
              name="amount"
              label={currency === null ? 'Amount' : `Amount (${currency})`}
              description={`At most ${majorText(amount, currency)}`}
              inputMode="decimal"
              defaultValue={majorText(amount, currency)}
              required
              error={findFault(error, 'amount')}
            />
          ) : null}
          {fields.map((field) => (
            <Field key={field.pointer} field={field} currency={currency} error={findFault(error, `parameters${field.pointer}`)} />
          ))}
        </>
      )}
    />
  );
};

/** Narrows the request and approves it: a field for each argument that the tool lets approvers lower. */
export const Edit = (props: EditProps): ReactNode => {
  const { approval, session } = props;
  const mayRead = may(session, 'action:read') && may(session, 'tool:read');
  const action = useOperation('getAction', { params: { actionId: approval.action_id } }, { isEnabled: mayRead });
  const toolId = action.data?.tool_id ?? null;
  const tool = useOperation('getTool', { params: { toolId: toolId ?? '' } }, { isEnabled: toolId !== null });
  if (mayRead && (action.isPending || (toolId !== null && tool.isPending))) return <p>Loading…</p>;
  const fields = tool.data === undefined ? [] : narrowFields(approval.parameters, tool.data);
  if (fields.length === 0 && approval.amount === null) return <EditAsJson {...props} />;
  return tool.data === undefined ? <EditAsJson {...props} /> : <Narrow {...props} fields={fields} />;
};
