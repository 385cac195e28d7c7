import { Anchor, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** Recovery codes, shown this once, to be copied or kept as a file. */
export const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }): ReactNode => {
  const [said, setSaid] = useState('');
  const text = `${codes.join('\n')}\n`;
  const copy = async (): Promise<void> => {
    // There is no clipboard where the address is neither https nor of this machine.
    const [copied] = await Promise.allSettled([Promise.resolve().then(() => navigator.clipboard.writeText(text))]);
    setSaid(copied.status === 'fulfilled' ? 'Copied.' : 'The browser does not let it be copied: mark the codes and copy them yourself.');
  };
  return (
    <>
      <Text>Keep these codes where you find them without your device. Each stands for it once, and they are not shown again.</Text>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <Button variant="default" onClick={() => void copy()}>
          Copy
        </Button>
        <Anchor href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} download="recovery-codes.txt">
          Download
        </Anchor>
      </Group>
      <p role="status" className="said">
        {said}
      </p>
    </>
  );
};
