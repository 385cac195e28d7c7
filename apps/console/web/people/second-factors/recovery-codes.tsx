import type { ReactNode } from 'react';
import { CopyButton } from '../../design/copy-button.tsx';
import { Anchor, Group, Text } from '../../design/kit.tsx';

/** Recovery codes, shown once, to copy or to download. */
export const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }): ReactNode => {
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <Text>Store these codes where you can access them without your device. Each code works once. They are not shown again.</Text>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyButton text={text} otherwise="Select the codes and copy them." />
        <Anchor href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} download="recovery-codes.txt">
          Download
        </Anchor>
      </Group>
    </>
  );
};
