import type { ReactNode } from 'react';
import { formatMoney } from '../../data/money-text.ts';
import { escapeInvisible, getShownJson } from '../../design/shown-json.ts';
import type { ApprovalDetails } from './summary.tsx';

/** A value as people read it: texts as they are, with unseen characters spelled out, and everything else as JSON. */
const Value = ({ value, hint }: { readonly value: unknown; readonly hint: string | undefined }): ReactNode => {
  const isNested = typeof value === 'object' && value !== null;
  if (isNested) return <pre className="request">{getShownJson(value)}</pre>;
  return (
    <>
      <bdi className="argument">{typeof value === 'string' ? escapeInvisible(value) : JSON.stringify(value)}</bdi>
      {hint === undefined ? null : <span className="quiet-text"> ({hint})</span>}
    </>
  );
};

/** Every argument of the request by name. The agent wrote the values. */
export const Arguments = ({ approval }: { readonly approval: ApprovalDetails }): ReactNode => {
  const { parameters, amount, currency, wordings } = approval;
  const entries = Object.entries(parameters);
  const original = wordings[0]?.parameters;
  return (
    <>
      {entries.length === 0 ? <p>The request has no arguments.</p> : null}
      <dl className="arguments">
        {entries.map(([name, value]) => {
          const isChanged = original !== undefined && JSON.stringify(original[name]) !== JSON.stringify(value);
          return (
            <div key={name}>
              <dt>
                <bdi>{escapeInvisible(name)}</bdi>
                {isChanged ? <span className="quiet-text"> changed by an approver</span> : null}
              </dt>
              <dd>
                <Value
                  value={value}
                  hint={value === amount && amount !== null && currency !== null ? formatMoney(amount, currency) : undefined}
                />
              </dd>
            </div>
          );
        })}
      </dl>
      {entries.length === 0 ? null : (
        <details>
          <summary>JSON</summary>
          <pre className="request">{getShownJson(parameters)}</pre>
        </details>
      )}
    </>
  );
};
