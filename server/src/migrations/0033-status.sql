-- What the status of the installation counts: few rows each, at any size of the tables.
create index hooks_failing on hooks (failing_since) where failing_since is not null and ended_at is null;
create index mails_failed on mails (updated_at) where not delivered and delivery_error is not null and attempts > 0;
create index company_mails_waiting on company_mails (created_at) where held_back is null and refusal is null and sent_at is null;
create index company_mails_refused on company_mails (created_at) where refusal is not null;
