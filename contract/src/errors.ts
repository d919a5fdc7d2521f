/**
 * The complete error catalogue. The server throws a code; the client sees its status, name and message. Facts about one
 * call, such as the field or the limit, go into `details`, which the server appends to the message after a colon.
 */
export type ErrorEntry = { readonly status: number; readonly name: string; readonly message: string }

const badRequest = (message: string) => ({ status: 400, name: 'BadRequestException', message }) as const
const unauthorized = (message: string) => ({ status: 401, name: 'UnauthorizedException', message }) as const
const forbidden = (message: string) => ({ status: 403, name: 'ForbiddenException', message }) as const
const notFound = (message: string) => ({ status: 404, name: 'NotFoundException', message }) as const
const notAcceptable = (message: string) => ({ status: 406, name: 'NotAcceptableException', message }) as const
const gone = (message: string) => ({ status: 410, name: 'GoneException', message }) as const
const conflict = (message: string) => ({ status: 409, name: 'ConflictException', message }) as const

export const errors = {
  validation_failed: badRequest('The request is not valid'),
  malformed_json: badRequest('The body is not well-formed JSON'),
  malformed_multipart: badRequest('The multipart body is not well-formed'),
  malformed_url: badRequest('The URL is not well-formed'),
  malformed_request: badRequest('The request is malformed'),
  company_header_missing: badRequest('The header company is missing: set it to the id of a company'),
  id_mismatch: badRequest('The id in the body differs from the id in the path'),
  scope_unknown: badRequest('A scope names an unknown resource or action'),
  grant_type_unsupported: badRequest('The grant type must be client_credentials'),
  vat_id_invalid: badRequest('The VAT id is not valid'),
  mfa_code_wrong: badRequest('The code is wrong or was already used: enter the next one'),
  passkey_refused: badRequest('The passkey was not accepted: try again'),
  coin_type_unsupported: badRequest('This coin type is not supported here'),
  language_unsupported: badRequest('There is no word list for this language'),
  mnemonic_invalid: badRequest('The mnemonic is not valid in this language'),
  identity_not_usable: badRequest(
    'This identity cannot sign: it is obsolete or revoked, or its wallet is disabled or belongs to the other mode',
  ),
  transaction_invalid: badRequest('The transaction is not valid'),
  certificate_invalid: badRequest('The certificate does not conform to its schema'),
  requirement_invalid: badRequest('The requirement cannot be used'),
  pack_rejected: badRequest('Nothing in the archive can be imported'),
  picture_unreadable: badRequest('The picture cannot be used'),
  hook_target_refused: badRequest('This connectionUrl is not allowed'),
  link_invalid: unauthorized('The link is not valid or has expired: request a new one'),
  unauthenticated: unauthorized('An access token is required'),
  token_invalid: unauthorized('The access token is not valid'),
  token_expired: unauthorized('The access token has expired'),
  credentials_wrong: unauthorized('The credentials are wrong'),
  mfa_code_required: unauthorized('Signing in requires the code of an authenticator: send it as code'),
  email_unconfirmed: forbidden(
    'The e-mail address is not confirmed: open the link in the e-mail, or request a new one',
  ),
  user_inactive: forbidden('The user is not active: ask an operator of the service'),
  person_required: forbidden('Only a signed-in user can call this operation, not an application'),
  step_up_required: forbidden('Sign in again to do this'),
  mfa_locked: forbidden('Too many wrong codes: this authenticator is locked for an hour'),
  signature_invalid: forbidden('The signature of the callback is not valid'),
  role_missing: forbidden('Only operators of the service can do this'),
  scope_missing: forbidden('The token has no scope for this operation'),
  scope_exceeded: forbidden('You cannot grant scopes that you do not have'),
  member_role_missing: forbidden('Your role in the company does not allow this'),
  release_own: forbidden('A person other than the one who submitted the certificate must release it'),
  company_limit_reached: forbidden('You own the maximum number of companies that are not verified'),
  application_limit_reached: forbidden('The company has the maximum number of applications'),
  access_token_limit_reached: forbidden('The company has the maximum number of long-lived tokens'),
  invitation_limit_reached: forbidden('The company cannot invite more people now'),
  certificate_limit_reached: forbidden(
    'The company has submitted the maximum number of certificates of this day',
  ),
  delivery_limit_reached: forbidden(
    'The company has used the maximum number of webhook deliveries of this day',
  ),
  hook_limit_reached: forbidden('The company has the maximum number of webhooks'),
  mail_hook_limit_reached: forbidden('The company has the maximum number of mail hooks'),
  customer_limit_reached: forbidden('The company has the maximum number of customers'),
  requirement_limit_reached: forbidden('The company has the maximum number of requirements'),
  order_limit_reached: forbidden('The company has the maximum number of order lines'),
  look_limit_reached: forbidden('The company has the maximum number of looks'),
  company_foreign: forbidden('You are not a member of this company'),
  mode_mismatch: forbidden('The token belongs to the other mode'),
  company_unverified: forbidden('Live mode requires a verified company'),
  mfa_required: forbidden(
    'This requires multi-factor authentication (MFA) in this session: add an authenticator or a passkey, or sign in again with it',
  ),
  not_found: notFound('The resource does not exist'),
  route_unknown: notFound('There is no such endpoint'),
  version_unknown: notFound('There is no such API version'),
  member_unknown: notFound('There is no user with this e-mail address: the user must register first'),
  schema_unknown: notFound('There is no schema with this RefSchemaUrl'),
  method_not_allowed: {
    status: 405,
    name: 'MethodNotAllowedException',
    message: 'This endpoint does not have this method: the header allow lists those that it has',
  },
  invalid_mode: notAcceptable('The mode must be test or live'),
  coin_type_unacceptable: notAcceptable('This coin type is not supported'),
  signature_type_unsupported: notAcceptable('This signature type is not supported'),
  password_rejected: notAcceptable('The password is not acceptable'),
  user_exists: conflict('A user with this username or e-mail address already exists'),
  company_exists: conflict('A company with this VAT id already exists: ask one of its admins to add you'),
  member_exists: conflict('The user is already a member of the company'),
  invitation_exists: conflict('This address is already invited: withdraw the invitation first'),
  last_admin: conflict('A company needs at least one admin'),
  authenticator_confirmed: conflict('The authenticator is already confirmed'),
  mfa_not_enabled: conflict('There is no confirmed authenticator: add one first'),
  passkeys_unavailable: conflict('Passkeys need HTTPS and a host name in the public URL of the server'),
  coin_type_exists: conflict('The coin type already exists'),
  coin_type_in_use: conflict('Nodes still use this coin type: delete them first'),
  wallet_exists: conflict('The company already has a wallet in this mode'),
  wallet_disabled: conflict('The wallet is disabled: recover it first'),
  wallet_backed_up: conflict('The mnemonic was already shown for a backup'),
  identity_exists: conflict('The identity already exists'),
  transaction_conflict: conflict(
    'The transaction spends an output that is already spent, or records a certificate that is already recorded',
  ),
  certificate_pending: conflict('The notarization of this certificate is not finished: try again later'),
  release_decided: conflict('The certificate does not wait for a release any more'),
  unsubscribed_by_receiver: conflict(
    'The receiver unsubscribed: only the receiver can undo this, with the link in the mail',
  ),
  delivery_not_failed: conflict('Only a failed delivery can be retried'),
  job_not_repeatable: conflict('This job cannot run again'),
  hook_disabled: conflict('The webhook is disabled: enable it first'),
  idempotency_running: conflict('A request with this Idempotency-Key is still running: try again later'),
  certificate_failed: conflict(
    'The notarization of this certificate failed: there is nothing to correct or to mail',
  ),
  certificate_corrected: conflict('This certificate is withdrawn or replaced'),
  inbox_not_met: conflict('Not everything is met: accept it with a concession, and say why, or reject it'),
  inbox_decided: conflict('This was decided already: take the decision back first'),
  inbox_not_decided: conflict('Nothing was decided yet'),
  inbox_undo_too_late: conflict('A decision can be taken back for a day'),
  certificate_erased: gone('The retention of this certificate has ended: only its hashes are left'),
  body_too_large: { status: 413, name: 'PayloadTooLargeException', message: 'The body is too large' },
  url_too_long: { status: 414, name: 'UriTooLongException', message: 'The URL is too long' },
  media_type_unsupported: {
    status: 415,
    name: 'UnsupportedMediaTypeException',
    message: 'This content type is not supported here',
  },
  idempotency_mismatch: {
    status: 422,
    name: 'UnprocessableEntityException',
    message: 'This Idempotency-Key was already used for a different request',
  },
  findings_refused: {
    status: 422,
    name: 'UnprocessableEntityException',
    message:
      'The certificate says what does not fit together, and you or your company asked to refuse such certificates',
  },
  seller_differs: {
    status: 422,
    name: 'UnprocessableEntityException',
    message: 'In live mode, the operator of this service accepts only certificates that name your company',
  },
  not_the_seller: {
    status: 422,
    name: 'UnprocessableEntityException',
    message:
      'Only the company that the certificate names as its seller, by its reviewed VAT id, can record an own entry',
  },
  similar_name: {
    status: 422,
    name: 'UnprocessableEntityException',
    message:
      'Another company has this name, or one that looks the same: compare them, then confirm with acceptSimilarName that it is another company',
  },
  sign_in_locked: {
    status: 429,
    name: 'ThrottlerException',
    message: 'Too many failed sign-ins: wait, or request a new password',
  },
  file_too_costly: {
    status: 422,
    name: 'UnprocessableEntityException',
    message: 'Reading this file takes too much processor time or memory',
  },
  queue_full: {
    status: 429,
    name: 'ThrottlerException',
    message: 'Too many certificates of the company wait to be notarized',
  },
  rate_limited: { status: 429, name: 'ThrottlerException', message: 'Too many requests' },
  headers_too_large: {
    status: 431,
    name: 'RequestHeaderFieldsTooLargeException',
    message: 'The request headers are too large',
  },
  request_timeout: {
    status: 408,
    name: 'RequestTimeoutException',
    message: 'The request took too long to arrive',
  },
  internal: {
    status: 500,
    name: 'InternalServerErrorException',
    message: 'Something went wrong on the server',
  },
  not_implemented: {
    status: 501,
    name: 'NotImplementedException',
    message: 'This operation is not implemented yet',
  },
  service_queue_full: {
    status: 503,
    name: 'ServiceUnavailableException',
    message: 'Too many certificates wait to be notarized on this service',
  },
  unavailable: {
    status: 503,
    name: 'ServiceUnavailableException',
    message: 'A service that this operation needs is not available',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errors

/** Errors the server can return for any request. Operations do not list them. */
export const plumbingErrors = [
  'malformed_request',
  'route_unknown',
  'method_not_allowed',
  'url_too_long',
  'headers_too_large',
  'request_timeout',
  'not_implemented',
] as const satisfies readonly ErrorCode[]
