import { Textarea } from '@mantine/core';
import { ServiceError } from '@svc/client/errors.ts';
import { type ReactNode, useState } from 'react';
import type { ApiAnswer } from '../../data/answer.ts';
import { callTexts, type SentInput } from '../../data/call-texts.ts';
import { client } from '../../data/client.ts';
import { getShownJson } from '../../data/shown-json.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { CodeTabs } from '../../design/code-tabs.tsx';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Panel } from '../../design/panel.tsx';
import { type DescribedOperation, getExample } from './api-operation.ts';

const SHOWN_CHARS_MAX = 50_000;

const NOT_JSON = new ServiceError({ code: 'NOT_JSON', message: 'The body is not JSON.', remedy: 'Correct it and send it again.' });
const NOT_CONFIRMED = new ServiceError({
  code: 'NOT_CONFIRMED',
  message: 'This operation changes data.',
  remedy: 'Check the box before you send it.',
});

const readInput = ({ parameters, body }: DescribedOperation, values: Values): SentInput | undefined => {
  const given = (place: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place && (values[`${place}.${each.name}`] ?? '') !== '')
        .map(({ name }) => [name, values[`${place}.${name}`] ?? '']),
    );
  try {
    const sent = body === undefined || (values.body ?? '').trim() === '' ? {} : { body: JSON.parse(values.body ?? '') as unknown };
    const [params, query] = [given('path'), given('query')];
    return { ...(Object.keys(params).length === 0 ? {} : { params }), ...(Object.keys(query).length === 0 ? {} : { query }), ...sent };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

type Request = (name: string, input: SentInput) => Promise<ApiAnswer<unknown>>;

/** Sends an operation with the session of the person, and shows the response and the same call as text. */
export const TryOperation = ({ operation }: { readonly operation: DescribedOperation }): ReactNode => {
  const { name, method, path, summary, permission, needsStepUp, parameters, body } = operation;
  const [sent, setSent] = useState<SentInput>({});
  const [result, setResult] = useState<{ readonly body: unknown }>();
  const isRead = method === 'GET';
  const send = async (values: Values): Promise<ApiAnswer<unknown>> => {
    const input = readInput(operation, values);
    if (input === undefined) return { ok: false, error: NOT_JSON };
    if (!isRead && values.confirm !== 'on') return { ok: false, error: NOT_CONFIRMED };
    setSent(input);
    setResult(undefined);
    return (client.request as unknown as Request)(name, input);
  };
  return (
    <>
      <Panel title={name}>
        <p>{summary}</p>
        <Facts
          facts={[
            ['Request', <code key="request">{`${method} ${path}`}</code>],
            ...(permission === undefined ? [] : [['Permission', <code key="permission">{permission}</code>] as const]),
            ...(needsStepUp ? [['Identity', 'You confirm it first'] as const] : []),
          ]}
        />
        <Form
          submit={isRead ? 'Send' : 'Send and change data'}
          send={send}
          then={(answer) => setResult({ body: answer })}
          fields={(error) => (
            <>
              {parameters.map((each) => (
                <TextField
                  key={`${each.in}.${each.name}`}
                  error={error}
                  name={`${each.in}.${each.name}`}
                  label={each.name}
                  {...(each.description === undefined ? {} : { description: each.description })}
                  required={each.required === true}
                  maxLength={2000}
                />
              ))}
              {body === undefined ? null : (
                <Textarea name="body" label="Body" rows={8} spellCheck={false} defaultValue={getShownJson(getExample(body))} />
              )}
              {isRead ? null : <Checkbox name="confirm" label="Change data of this organization" />}
            </>
          )}
        />
      </Panel>
      <Panel title="Response">
        <div role="status">{result === undefined ? <p className="quiet-text">Nothing was sent yet.</p> : null}</div>
        {result === undefined ? null : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard (WCAG 2.1.1)
          <pre className="request response" tabIndex={0}>
            {result.body === undefined ? 'Done, without content.' : getShownJson(result.body).slice(0, SHOWN_CHARS_MAX)}
          </pre>
        )}
        <CodeTabs label="The same request" tabs={callTexts(name, sent, location.origin)} />
      </Panel>
    </>
  );
};
