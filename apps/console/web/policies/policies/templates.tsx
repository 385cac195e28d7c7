import type { OperationResult } from '@svc/client/client-types.ts';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { type ReactNode, useState } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Button } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Replay, Tests } from './findings.tsx';
import { RuleList } from './rule-text.tsx';

export type Template = OperationResult<'listPolicyTemplates'>[number];

const REPLAY_DAYS = 7;

/** The tests of a template, and the recorded actions that it would decide differently with its default values. */
const Trial = ({ template: { rules, tests } }: { readonly template: Template }): ReactNode => {
  const { data, error } = useOperation('checkPolicy', { body: { rules: [...rules], tests: [...tests], days: REPLAY_DAYS } });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={4} />;
  return (
    <>
      <RuleList rules={rules as readonly PolicyRule[]} currency={data.currency} />
      <Tests {...data} />
      <Replay {...data} />
    </>
  );
};

type CardProps = {
  readonly template: Template;
  readonly session: Session;
  readonly isChosen: boolean;
  readonly choose: () => void;
};

const Card = ({ template, session, isChosen, choose }: CardProps): ReactNode => {
  const [isRun, setRun] = useState(false);
  return (
    <li className="template-card" data-chosen={isChosen || undefined}>
      <h3>{template.name}</h3>
      <p>{template.description}</p>
      {isRun ? <Trial template={template} /> : null}
      <div className="answer-head">
        <Button size="xs" variant="default" aria-pressed={isChosen} aria-label={`Use: ${template.name}`} onClick={choose}>
          {isChosen ? 'Chosen' : 'Use'}
        </Button>
        {isRun || !may(session, 'policy:simulate') ? null : (
          <Button size="xs" variant="default" aria-label={`Try: ${template.name}`} onClick={() => setRun(true)}>
            Try
          </Button>
        )}
      </div>
    </li>
  );
};

type TemplatesProps = {
  readonly templates: readonly Template[];
  readonly session: Session;
  readonly chosen: string;
  readonly choose: (id: string) => void;
};

/** Templates as cards that run on the recorded actions before one of them is used. */
export const Templates = ({ templates, session, chosen, choose }: TemplatesProps): ReactNode => (
  <section aria-label="Templates">
    <h2>Templates</h2>
    <ul className="template-cards">
      {templates.map((template) => (
        <Card
          key={template.id}
          template={template}
          session={session}
          isChosen={template.id === chosen}
          choose={() => {
            choose(template.id);
            document.querySelector('#content')?.scrollIntoView();
          }}
        />
      ))}
    </ul>
  </section>
);
