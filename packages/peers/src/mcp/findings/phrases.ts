import type { DefinitionFindingKind, DefinitionSeverity } from './finding.ts';

/**
 * A phrase that addresses a model instead of describing a tool (prompt injection). Its pattern matches lower-case text with single spaces
 * and without quotes, where `don't` is written `don t`. Each repetition has an upper bound, so that the time is linear in the text length.
 */
export type Phrase = {
  readonly kind: DefinitionFindingKind;
  readonly severity: DefinitionSeverity;
  readonly pattern: RegExp;
  readonly explanation: string;
  /** True if a mention of the server's own tool explains the phrase. */
  readonly mayNameOwnTool?: true;
};

export const PHRASES: readonly Phrase[] = [
  {
    kind: 'CONCEALMENT',
    severity: 'high',
    pattern:
      /\b(?:do not|don t|never|must not|should not|not to|without|avoid|refrain from) (?:\w{1,20} ){0,3}(?:mention(?:ing)?|tell(?:ing)?|inform(?:ing)?|show(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|notify(?:ing)?|report(?:ing)?|explain(?:ing)?|alert(?:ing)?)(?: \w{1,20}){0,4} (?:user|human|person|operator|anyone|anybody)\b/g,
    explanation: 'Asks the model to hide something from the user.',
  },
  {
    kind: 'CONCEALMENT',
    severity: 'high',
    pattern: /\b(?:hide|hidden|conceal|keep|secret) (?:\w{1,20} ){0,4}from (?:the )?(?:user|human|operator)s?\b/g,
    explanation: 'Asks the model to hide something from the user.',
  },
  {
    kind: 'CONCEALMENT',
    severity: 'high',
    pattern:
      /\b(?:user|human|operator) (?:must|should|need|does|may|will) (?:not|never) (?:\w{1,20} ){0,2}(?:know|see|notice|learn|be (?:told|informed|aware))\b/g,
    explanation: 'Asks the model to hide something from the user.',
  },
  {
    kind: 'DISREGARDED_INSTRUCTIONS',
    severity: 'high',
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|the|your|these|every|of) ){0,4}(?:previous|prior|above|earlier|preceding|other|system|existing|original|safety) (?:\w{1,20} ){0,2}(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|messages?|constraints?|polic(?:y|ies))\b/g,
    explanation: 'Asks the model to disregard its instructions.',
  },
  {
    kind: 'DISREGARDED_INSTRUCTIONS',
    severity: 'high',
    pattern: /\b(?:you are now|from now on,? you|your new (?:task|role|goal|instructions?)|new instructions?:)(?: |$)/g,
    explanation: 'Gives the model new instructions.',
  },
  {
    kind: 'PSEUDO_MARKUP',
    severity: 'high',
    pattern: /<\/?(?:important|system|instructions?|assistant|secret|admin|hidden)>|\[\/?(?:system|inst)\]|<\|[a-z_]{1,20}\|>/g,
    explanation: 'Imitates the markup that separates instructions from content.',
  },
  {
    kind: 'SECRET_FILE',
    severity: 'high',
    pattern:
      /\b(?:read|open|load|cat|include|send|attach|paste|copy|put|pass|upload|contents? of|text of)\b[^.!?\n]{0,60}(?:\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.ssh\/[\w.-]{0,60}|\.aws\/(?:credentials|config)|\.gnupg\b|\.kube\/config|\.docker\/config\.json|\.git-credentials\b|\.netrc\b|\.pypirc\b|\/etc\/(?:passwd|shadow)\b|\.cursor\/mcp\.json|claude_desktop_config\.json|\bwallet\.dat\b|\bauthorized_keys\b|(?<![\w.])\.env\b)/g,
    explanation: 'Asks for a file that usually holds secrets.',
  },
  {
    kind: 'SECRET_FILE',
    severity: 'medium',
    pattern:
      /\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.ssh\/[\w.-]{0,60}|\.aws\/(?:credentials|config)|\.gnupg\b|\.kube\/config|\.docker\/config\.json|\.git-credentials\b|\.netrc\b|\.pypirc\b|\/etc\/(?:passwd|shadow)\b|\.cursor\/mcp\.json|claude_desktop_config\.json|\bwallet\.dat\b|\bauthorized_keys\b|\.bashrc\b|\.zshrc\b/g,
    explanation: 'Names a file that usually holds secrets or is run at sign-in.',
  },
  {
    kind: 'CONVERSATION_CAPTURE',
    severity: 'high',
    pattern:
      /\b(?:pass|include|send|copy|put|provide|paste|add|append|insert|give|write|attach|share|repeat|place)(?: \w{1,20}){0,3} (?:whole|entire|full|complete|all|your|our|current|this)(?: \w{1,20}){0,3} (?:conversations?|chat (?:history|log)|message history|dialog(?:ue)?|system prompt|context window|environment variables)\b/g,
    explanation: 'Asks for the conversation or the context of the model.',
  },
  {
    kind: 'EXFILTRATION',
    severity: 'high',
    pattern:
      /\b(?:always|also|secretly|silently|additionally|must)(?: [\w.@-]{1,40}){0,4} (?:put|add|include|set|send|forward|copy|post|upload|append|cc|bcc)(?: [\w.@:-]{1,40}){0,6} (?:[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{1,40}|https?:\/\/[\w.-]{1,80})/g,
    explanation: 'Asks the model to send something to a fixed address.',
  },
  {
    kind: 'EXFILTRATION',
    severity: 'high',
    pattern: /\b(?:put|add|set|include|insert)(?: [\w.@+-]{1,60}){1,5} (?:in|to|as|into) (?:the )?b?cc\b/g,
    explanation: 'Asks the model to add a recipient.',
  },
  {
    kind: 'EXFILTRATION',
    severity: 'high',
    pattern:
      /\bsends? (?:the )?(?:env(?:ironment)?(?: variables?)?|secrets?|credentials?|tokens?|api keys?|passwords?)(?: \w{1,20}){0,3} to [\w.@:/-]{3,80}/g,
    explanation: 'Mentions sending secrets to an address.',
  },
  {
    kind: 'MODEL_INSTRUCTION',
    severity: 'medium',
    pattern:
      /\b(?:before|prior to) (?:using|calling|invoking|answering|responding|replying|running|doing|any|each|every|you)\b(?: [\w-]{1,40}){0,6},? (?:you must |you should |always |first |please )?(?:read|open|call|pass|send|run|execute|fetch|load|include|copy|upload|invoke) (?:[\w.~/-]{1,60} ){0,3}[\w.~/-]{1,60}/g,
    explanation: 'Asks the model to do something else before it uses the tool.',
    mayNameOwnTool: true,
  },
  {
    kind: 'MODEL_INSTRUCTION',
    severity: 'medium',
    pattern:
      /\b(?:model|assistant|ai|llm|agent): ?(?:please |you must |always |first )?(?:read|open|call|pass|send|run|execute|fetch|use|ignore)\b/g,
    explanation: 'Addresses the model.',
  },
  {
    kind: 'MODEL_INSTRUCTION',
    severity: 'low',
    pattern:
      /\b(?:otherwise|or else|if not)(?: \w{1,20}){0,3},?(?: \w{1,20}){0,3} (?:will|would|is|are) (?:be )?(?:wrong|incorrect|fail|invalid|blocked|deleted|lost|broken)\b/g,
    explanation: 'Threatens the model with a wrong result.',
  },
];

/** Phrases in tool names, after `_` and capitals are replaced by spaces. */
export const NAME_PHRASES: readonly Phrase[] = [
  {
    kind: 'DISREGARDED_INSTRUCTIONS',
    severity: 'high',
    pattern:
      /\b(?:ignore|disregard|forget|override) (?:all )?(?:previous|prior|above|earlier) (?:and|then|instructions?|rules?|prompts?|messages?)\b/g,
    explanation: 'The name gives the model an instruction.',
  },
];

/** Phrases in tool results that request another call. */
export const RESULT_PHRASES: readonly Phrase[] = [
  {
    kind: 'TOOL_CALL_REQUEST',
    severity: 'medium',
    pattern:
      /\b(?:to continue|to proceed|to finish|next|now|then|please|must|first|instead)[ ,:]{1,3}(?:\w{1,20} ){0,3}(?:call|run|invoke|execute|use) (?:(?:the|tool) ){0,2}[a-z0-9]\w{0,60}/g,
    explanation: 'The result asks the model to call a tool.',
  },
  {
    kind: 'TOOL_CALL_REQUEST',
    severity: 'medium',
    pattern: /\btools? (?:were|was|have been|has been|are|is) (?:now )?(?:updated|changed|replaced|moved|renamed)\b/g,
    explanation: 'The result claims that tools changed.',
  },
];
