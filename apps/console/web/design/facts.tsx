import type { ReactNode } from 'react';

type FactsProps = { readonly facts: readonly (readonly [name: string, value: ReactNode])[] };

/** Names and values. What others wrote turns no text around it. */
export const Facts = ({ facts }: FactsProps): ReactNode => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <bdi>{value}</bdi>
        </dd>
      </div>
    ))}
  </dl>
);
