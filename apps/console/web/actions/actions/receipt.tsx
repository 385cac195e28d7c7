import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Save } from '../../design/save-file.tsx';
import type { Action } from './action.ts';

/** A signed receipt of the decision, which can be verified offline. */
export const Receipt = ({ action }: { readonly action: Action }): ReactNode => {
  const [receipt, setReceipt] = useState<string>();
  if (receipt !== undefined)
    return (
      <Save text={receipt} name={`${action.id}.receipt.jws`}>
        Download receipt
      </Save>
    );
  return (
    <ActionButton
      does="Get receipt"
      send={() => client.request('getActionReceipt', { params: { actionId: action.id } })}
      then={({ receipt: signed }) => setReceipt(signed)}
    />
  );
};
