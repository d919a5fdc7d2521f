-- Within a company, what is notarized in live mode comes before what is notarized in test mode.

drop index certificates_due;
create index certificates_due on certificates (company_id, mode, next_attempt_at) where next_attempt_at is not null;
