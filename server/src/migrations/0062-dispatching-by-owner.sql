-- Owners take turns when webhooks get their records of events, too.
drop index outbox_undispatched;
create index outbox_undispatched on outbox (owner_id, sequence) where dispatched_at is null;
