-- What an attempt sent and got, as far as it contains no secrets; and whom to tell of failures besides the admins.
alter table hook_attempts add column request text, add column answer_headers text;
comment on column hook_attempts.request is 'JSON: the address, and the headers by name; credentials and signatures are masked';
comment on column hook_attempts.answer_headers is 'JSON: known headers of the answer by name';
alter table hooks add column notify_email text;
comment on column hooks.notify_email is 'An address that gets the notices about this webhook besides the admins of the company';
create index hook_events_failed on hook_events (hook_id, created_at) where not delivered and attempts > 0;
