-- Owners take turns when events are published, so that the many events of one do not delay those of others.
drop index outbox_unpublished;
create index outbox_unpublished on outbox (owner_id, sequence) where published_at is null;
