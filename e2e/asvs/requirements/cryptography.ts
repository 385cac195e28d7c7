import { notApplicable, type Requirement, requirementMet, requirementUnmet } from '../requirement.ts';
import { DATA_DOCUMENTED, DATA_PAGE, ENVELOPE, MASTER_KEY, PASSWORD_HASH, RECOVERY_CODES, SECRET_TOKEN, TOKENS_RULE } from './tests.ts';

const PRIMITIVES = 'names every hash, cipher and kind of key that the sources name, and no source names another';

export const cryptography: Readonly<Record<string, Requirement>> = {
  '11.1.1': requirementMet(
    2,
    'The lifecycle of keys and their holders are documented.',
    DATA_DOCUMENTED('lists every purpose that a key is derived for'),
    DATA_PAGE('Keys from their making to their end'),
  ),
  '11.1.2': requirementMet(2, 'Keys, algorithms and their uses are inventoried.', DATA_DOCUMENTED(PRIMITIVES), DATA_PAGE('Cryptography')),
  '11.2.1': requirementMet(
    2,
    'Cryptography uses validated libraries.',
    TOKENS_RULE('cryptography stays with the keyring and the client'),
    DATA_DOCUMENTED(PRIMITIVES),
  ),
  '11.2.2': requirementUnmet(
    2,
    'Algorithms and keys can be replaced, and data re-encrypted.',
    'Formats name their algorithm, each primitive is in one place, and the master key can be changed while the service runs; but the installation key that it wraps stays, and data is not re-encrypted. Meanwhile: change the master key after a disclosure, and rotate the secrets themselves if the database was disclosed too, as the page on data and keys states.',
  ),
  '11.2.3': requirementUnmet(
    2,
    'All cryptography has 128 bits of security.',
    'Algorithms chosen by the service have. Providers and authenticators may sign with RSA of 2048 bits, which has 112, since many support nothing else. Meanwhile: let the provider sign with ES256 or EdDSA.',
  ),
  '11.3.1': requirementMet(
    1,
    'Weak block modes and paddings are not used.',
    DATA_DOCUMENTED(PRIMITIVES),
    ENVELOPE('seals with plain AES-256-GCM, readable without this program'),
  ),
  '11.3.2': requirementMet(
    1,
    'Only approved ciphers are used.',
    DATA_DOCUMENTED(PRIMITIVES),
    ENVELOPE('seals with plain AES-256-GCM, readable without this program'),
  ),
  '11.3.3': requirementMet(
    2,
    'Encryption is authenticated.',
    ENVELOPE('detects every flipped bit, cut and addition in a sealed value'),
    ENVELOPE('opens no sealed value that was moved to another place'),
  ),
  '11.4.1': requirementMet(1, 'Only approved hashes are used; SHA-1 only for TOTP.', DATA_DOCUMENTED(PRIMITIVES)),
  '11.4.2': requirementMet(
    2,
    'Passwords are stored with a slow hash and current parameters.',
    PASSWORD_HASH('hashes with argon2id, 19 MiB, two passes and a new salt each time'),
    DATA_DOCUMENTED('names the parameters of Argon2id, and each algorithm that signs passkeys'),
  ),
  '11.4.3': requirementMet(2, 'Signature hashes have at least 256 bits.', DATA_DOCUMENTED(PRIMITIVES)),
  '11.4.4': notApplicable(2, 'Keys from passwords are stretched.', 'No key is made of a password; the master key is random.'),
  '11.5.1': requirementMet(
    2,
    'Unguessable values have 128 random bits.',
    SECRET_TOKEN('creates a secret of prefix, 43 digits or a multiple of four, and checksum, well formed under its own prefix only'),
    MASTER_KEY('reads a new master key back, with the newline that a key file ends in'),
    DATA_DOCUMENTED('names the random source of the system as the only one for secret values'),
    RECOVERY_CODES('creates recovery codes of 120 random bits, so that even a plain hash could not be guessed'),
  ),
  '11.6.1': requirementUnmet(
    2,
    'Keys and signatures use approved algorithms only.',
    'Our own keys are Ed25519, and weak ones are refused. Signatures of providers and authenticators may be RS256 (PKCS#1 v1.5), which OpenID Connect requires of every provider and SAML uses. Meanwhile: let the provider sign with ES256, PS256 or EdDSA.',
  ),
};
