import type { ReactNode } from 'react';

type FactsProps = { readonly facts: readonly (readonly [name: string, value: ReactNode])[] };

/** Shows names and values. Text of others cannot change the direction of its surroundings. */
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
