import { Anchor, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** Recovery codes, shown once, to copy or to download. */
export const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }): ReactNode => {
  const [said, setSaid] = useState('');
  const text = `${codes.join('\n')}\n`;
  const copy = async (): Promise<void> => {
    // The clipboard is only there over https and on localhost.
    const [copied] = await Promise.allSettled([Promise.resolve().then(() => navigator.clipboard.writeText(text))]);
    setSaid(copied.status === 'fulfilled' ? 'Copied.' : 'The browser did not allow copying. Select the codes and copy them.');
  };
  return (
    <>
      <Text>Store these codes where you can access them without your device. Each code works once. They are not shown again.</Text>
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
