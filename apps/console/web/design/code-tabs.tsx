import { type ReactNode, useId, useState } from 'react';
import { CopyButton } from './copy-button.tsx';

export type CodeTab = { readonly name: string; readonly code: string };

type CodeTabsProps = {
  /** Description of the calls, for the label of the group. */
  readonly label: string;
  readonly tabs: readonly CodeTab[];
};

/** Shows the same call in several languages, one at a time, to copy. */
export const CodeTabs = ({ label, tabs }: CodeTabsProps): ReactNode => {
  const id = useId();
  const [chosen, setChosen] = useState(tabs[0]?.name);
  const tab = tabs.find(({ name }) => name === chosen) ?? tabs[0];
  if (tab === undefined) return null;
  return (
    <div className="code-tabs">
      <fieldset className="segments">
        <legend>{label}</legend>
        {tabs.map(({ name }) => (
          <label key={name}>
            <input type="radio" name={id} value={name} checked={name === tab.name} onChange={() => setChosen(name)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <pre className="request">{tab.code}</pre>
      <CopyButton text={tab.code} of={`${label}, ${tab.name}`} otherwise="Select the text and copy it." />
    </div>
  );
};
