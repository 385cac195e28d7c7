import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { NewPasswordField, PasswordField } from '../../design/secret-fields.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

/** Changes the password of a person who knows the present one. */
export const Password = (): ReactNode => {
  const [isDone, setDone] = useState(false);
  return (
    <ConsolePage title={isDone ? 'Password changed' : 'Change password'}>
      {isDone ? (
        <Text role="status">Your other sessions have ended. This one continues.</Text>
      ) : (
        <>
          <Text>This ends your other sessions in all organizations.</Text>
          <Form
            submit="Change password"
            send={({ current_password = '', new_password = '' }) =>
              client.request('changePassword', { body: { current_password, new_password } })
            }
            then={() => setDone(true)}
            fields={(error) => (
              <>
                <PasswordField error={error} name="current_password" label="Current password" />
                <NewPasswordField error={error} name="new_password" />
              </>
            )}
          />
        </>
      )}
    </ConsolePage>
  );
};
