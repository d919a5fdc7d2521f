-- Only the broker writes here, and it deletes a session together with its queue.
alter table broker_queue drop constraint broker_queue_session_id_fkey;
