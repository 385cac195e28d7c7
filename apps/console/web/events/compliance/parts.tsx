import type { ReactNode } from 'react';
import { Facts } from '../../design/facts.tsx';
import { Anchor, Text, Title } from '../../design/kit.tsx';
import { Time } from '../../design/time.tsx';
import { countWords, type ReportControl, type ReportFramework, STATE_WORDS } from './report-words.ts';

export const FrameworkPart = ({
  of,
  controls,
}: {
  readonly of: ReportFramework;
  readonly controls: readonly ReportControl[];
}): ReactNode => (
  <section aria-label={of.title}>
    <Title order={2} size="h4">
      {of.title}
    </Title>
    <Text>Edition {of.edition}</Text>
    <table className="changes">
      <thead>
        <tr>
          <th scope="col">Requirement</th>
          <th scope="col">State</th>
          <th scope="col">Controls</th>
        </tr>
      </thead>
      <tbody>
        {of.references.map(({ reference, title, state, controls: names }) => (
          <tr key={reference}>
            <th scope="row">
              {reference} {title}
            </th>
            <td>{STATE_WORDS[state]}</td>
            <td>
              {names.map((name) => (
                <div key={name}>
                  <Anchor href={`#${name}`}>{controls.find((each) => each.name === name)?.title ?? name}</Anchor>
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <Text>Outside this service: {of.outside}</Text>
  </section>
);

/** The measurements of a control, and where their evidence is read. */
const Measures = ({ of }: { readonly of: ReportControl['measures'] }): ReactNode => (
  <ul>
    {of.map((measure) => (
      <li key={measure.name}>
        {measure.asks} <strong>{STATE_WORDS[measure.state]}</strong>: {countWords(measure)}
        {measure.evidence.map(({ path, permission }) => (
          <div key={path} className="quiet">
            <code>GET {path}</code> ({permission})
          </div>
        ))}
      </li>
    ))}
  </ul>
);

const Lacking = ({ sentences }: { readonly sentences: ReportControl['lacking'] }): ReactNode =>
  sentences.length === 0 ? null : (
    <>
      <Text fw={600}>Missing</Text>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );

/** One control with its measurements. */
export const ControlPart = ({ of }: { readonly of: ReportControl }): ReactNode => (
  <section id={of.name} aria-label={of.title} className="control">
    <Title order={3} size="h5">
      {of.title}
    </Title>
    <Text>{of.asks}</Text>
    <Facts
      facts={[
        ['State', <strong key="state">{STATE_WORDS[of.state]}</strong>],
        ['Covers', of.references.map(({ framework, reference }) => `${framework} ${reference}`).join(', ')],
        ...(of.recorded
          ? [
              [
                'Recorded',
                <span key="recorded">
                  {STATE_WORDS[of.recorded.state]} since <Time at={of.recorded.since} />
                </span>,
              ] as const,
            ]
          : []),
      ]}
    />
    <Measures of={of.measures} />
    <Lacking sentences={of.lacking} />
    <Text fw={600}>Your responsibility</Text>
    <Text>{of.operator}</Text>
  </section>
);
