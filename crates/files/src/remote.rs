//! Stores in S3 and compatible services, by URLs such as `s3://bucket/prefix`.
//!
//! Credentials, the region and the endpoint are found where other S3 programs look for them: in the
//! environment, in the profiles of `~/.aws`, or from the machine. They are never printed.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use aws_config::{BehaviorVersion, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, AwsCredential};
use object_store::client::{HttpClient, HttpConnector};
use object_store::path::Path as Key;
use object_store::{ClientOptions, CredentialProvider, ObjectMeta, ObjectStoreExt, PutMode};
use richman_core::Error;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Mutex;

use crate::{ObjectStore, too_large};

/// The objects under a prefix of a bucket.
pub struct RemoteStore {
    place: PathBuf,
    prefix: Key,
    store: Arc<dyn object_store::ObjectStore>,
    runtime: Runtime,
}

impl fmt::Debug for RemoteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RemoteStore").field(&self.place).finish()
    }
}

impl RemoteStore {
    /// The store at `s3://` and this bucket and prefix.
    ///
    /// # Errors
    /// [`Error::Storage`] if there is no bucket or no region, or the settings cannot be read.
    pub fn open(bucket_and_prefix: &str) -> Result<RemoteStore, Error> {
        let place = PathBuf::from(format!("s3://{}", bucket_and_prefix.trim_end_matches('/')));
        let failed = |reason: &dyn fmt::Display| Error::Storage { what: format!("{}: {reason}", place.display()) };
        let (bucket, prefix) = bucket_and_prefix.split_once('/').unwrap_or((bucket_and_prefix, ""));
        if bucket.is_empty() {
            return Err(failed(&"write a bucket and a prefix, such as s3://boards/5x5"));
        }
        let prefix = Key::parse(prefix.trim_end_matches('/')).map_err(|error| failed(&error))?;
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| failed(&error))?;
        let settings = runtime.block_on(aws_config::defaults(BehaviorVersion::latest()).load());
        let service = service(bucket, &settings);
        let endpoint = service.get_config_value(&AmazonS3ConfigKey::Endpoint);
        if endpoint.is_some_and(|endpoint| endpoint.contains('@')) {
            return Err(failed(
                &"the endpoint has a name or a password in it, which messages would repeat: put \
                                credentials into the environment or a profile",
            ));
        }
        let store = Arc::new(service.build().map_err(|error| failed(&reasons(&error)))?);
        Ok(RemoteStore { place, prefix, store, runtime })
    }

    fn key(&self, name: &str) -> Key {
        self.prefix.clone().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8], mode: PutMode) -> io::Result<()> {
        let key = self.key(name);
        let put = self.store.put_opts(&key, bytes.to_vec().into(), mode.into());
        self.runtime.block_on(put).map(|_| ()).map_err(plain)
    }
}

/// The service that the settings name.
fn service(bucket: &str, settings: &SdkConfig) -> AmazonS3Builder {
    let mut service = AmazonS3Builder::from_env().with_bucket_name(bucket);
    if let Some(region) = settings.region() {
        service = service.with_region(region.as_ref());
    }
    if let Some(endpoint) = settings.endpoint_url() {
        service = service.with_endpoint(endpoint);
    }
    if let Some(provider) = settings.credentials_provider() {
        service = service.with_credentials(Arc::new(FoundCredentials { provider, known: Mutex::default() }));
    }
    // An unencrypted endpoint must be configured explicitly.
    service.with_client_options(ClientOptions::new().with_allow_http(true)).with_http_connector(OneServer)
}

/// Connects only to the service: a redirect is an error, because the token would be sent there.
#[derive(Debug)]
struct OneServer;

impl HttpConnector for OneServer {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        /// A large object takes long on a slow line.
        const LONGEST: Duration = Duration::from_secs(600);
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(LONGEST);
        let client = client.connect_timeout(Duration::from_secs(5)).user_agent("richman").build();
        let failed = |error| object_store::Error::Generic { store: "S3", source: Box::new(error) };
        client.map(HttpClient::new).map_err(failed)
    }
}

/// Credentials from the usual places, renewed before they expire.
struct FoundCredentials {
    provider: SharedCredentialsProvider,
    known: Mutex<Option<Credentials>>,
}

impl fmt::Debug for FoundCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FoundCredentials")
    }
}

#[async_trait::async_trait]
impl CredentialProvider for FoundCredentials {
    type Credential = AwsCredential;

    async fn get_credential(&self) -> object_store::Result<Arc<AwsCredential>> {
        const BEFORE: Duration = Duration::from_secs(300);
        let mut known = self.known.lock().await;
        let soon = SystemTime::now() + BEFORE;
        let found = match known.clone().filter(|known| known.expiry().is_none_or(|expiry| soon < expiry)) {
            Some(found) => found,
            None => {
                let found = self.provider.provide_credentials().await;
                found.map_err(|error| object_store::Error::Generic { store: "S3", source: Box::new(error) })?
            }
        };
        *known = Some(found.clone());
        Ok(Arc::new(AwsCredential {
            key_id: found.access_key_id().to_string(),
            secret_key: found.secret_access_key().to_string(),
            token: found.session_token().map(str::to_string),
        }))
    }
}

impl ObjectStore for RemoteStore {
    fn place(&self) -> &Path {
        &self.place
    }

    fn reader(&self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        let found = self.runtime.block_on(self.store.get(&self.key(name))).map_err(plain)?;
        let stream = found.into_stream().map_ok(Vec::from).boxed();
        Ok(Box::new(ObjectReader { runtime: &self.runtime, stream, rest: Vec::new().into_iter() }))
    }

    fn read(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        self.runtime.block_on(async {
            let found = self.store.get(&self.key(name)).await.map_err(plain)?;
            if found.meta.size > most {
                return Err(too_large(most));
            }
            Ok(found.bytes().await.map_err(plain)?.into())
        })
    }

    fn create(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        match self.put(name, bytes, PutMode::Create) {
            // Not every store can; in those, the later of two simultaneous writes replaces the
            // other.
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                match self.runtime.block_on(self.store.head(&self.key(name))).map_err(plain) {
                    Ok(_) => Err(ErrorKind::AlreadyExists.into()),
                    Err(error) if error.kind() == ErrorKind::NotFound => self.replace(name, bytes),
                    Err(error) => Err(error),
                }
            }
            created => created,
        }
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.put(name, bytes, PutMode::Overwrite)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.runtime.block_on(self.store.delete(&self.key(name))).map_err(plain)
    }

    fn list(&self) -> io::Result<BTreeMap<String, u64>> {
        let found = self.runtime.block_on(self.store.list_with_delimiter(Some(&self.prefix))).map_err(plain)?;
        let named = |object: ObjectMeta| Some((object.location.filename()?.to_string(), object.size));
        Ok(found.objects.into_iter().filter_map(named).collect())
    }
}

/// The error of the kind that the system would give, with its reasons.
fn plain(error: object_store::Error) -> io::Error {
    use object_store::Error as Fault;
    let kind = match &error {
        Fault::NotFound { .. } => ErrorKind::NotFound,
        Fault::AlreadyExists { .. } | Fault::Precondition { .. } => ErrorKind::AlreadyExists,
        Fault::NotImplemented { .. } | Fault::NotSupported { .. } => ErrorKind::Unsupported,
        Fault::PermissionDenied { .. } | Fault::Unauthenticated { .. } => ErrorKind::PermissionDenied,
        _ => ErrorKind::Other,
    };
    io::Error::new(kind, reasons(&error))
}

/// An error with its causes, each said once, in a line. The service's answer is reduced to its code
/// and message, because it may repeat the request with a token.
fn reasons(error: &object_store::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    let element = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        Some(rest.split_once('<')?.0)
    };
    let answer = [element("Code"), element("Message")].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let before = text.split('<').next().unwrap_or_default();
    format!("{before} {answer}").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An object, piece by piece.
struct ObjectReader<'a> {
    runtime: &'a Runtime,
    stream: BoxStream<'static, object_store::Result<Vec<u8>>>,
    rest: std::vec::IntoIter<u8>,
}

impl Read for ObjectReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.rest.len() == 0 {
            match self.runtime.block_on(self.stream.next()) {
                None => return Ok(0),
                Some(piece) => self.rest = piece.map_err(plain)?.into_iter(),
            }
        }
        let count = into.len().min(self.rest.len());
        into[..count].copy_from_slice(&self.rest.as_slice()[..count]);
        self.rest.nth(count.saturating_sub(1));
        Ok(count)
    }
}
