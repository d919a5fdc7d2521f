-- The steps of a notarization.
alter table certificates add column accepted_by text;
alter table certificates add column rendered_at timestamptz;
alter table certificates add column ended_at timestamptz;
comment on column certificates.accepted_by is 'user:<id>, application:<id> or accesstoken:<id>';
comment on column certificates.rendered_at is 'Null for certificates of earlier releases';
comment on column certificates.ended_at is 'When it was notarized or failed; null for certificates of earlier releases';
update certificates c set accepted_by = a.actor
from audit_log a where a.action = 'certificates.notarize' and a.subject = c.id::text;

alter table outbox add column about_id uuid;
comment on column outbox.about_id is 'The certificate that the event is about';
create index outbox_about on outbox (about_id) where about_id is not null;
