//! The protocol's side: tools are listed and called, the guide is a resource.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};

use crate::{Host, bounds, tools};

/// The name of the guide among the resources.
const GUIDE: &str = "omphalos://guide";
/// The guide's text.
const GUIDE_TEXT: &str = include_str!("guide.md");
/// The instructions that a client gives its agent before the first call.
const INSTRUCTIONS: &str = "Performance and hangs of OpenMP programs. Record first with a shell: \
    `omphalos profile --no-report -o app.omph ./app`; then call digest on app.omph. For a program \
    that does not end call why with its pid. The resource omphalos://guide says which tool answers \
    which question.";

/// The server for one client.
struct Server<H> {
    host: Arc<H>,
}

/// Serves until the client closes its end.
pub fn serve<H: Host>(host: Arc<H>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let served = runtime.block_on(async {
        match (Server { host }).serve(rmcp::transport::stdio()).await {
            // Nobody is there: the end of the standard input is the end of the service.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error.to_string()),
            Ok(service) => service.waiting().await.map(drop).map_err(|error| error.to_string()),
        }
    });
    // A thread may wait for standard input for ever.
    runtime.shutdown_background();
    served
}

impl<H: Host> ServerHandler for Server<H> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("omphalos", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |tool: &tools::Tool| {
            let schema = tool.schema().as_object().cloned().unwrap_or_default();
            let reads = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
            Tool::new(tool.name, tool.description, Arc::new(schema)).with_annotations(reads)
        };
        Ok(ListToolsResult::with_all_items(tools::ALL.iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::ALL.iter().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = tools::ALL.iter().map(|tool| tool.name).collect();
            let message =
                format!("there is no tool '{}'; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let result = match tool.call(&*self.host, &request.arguments.unwrap_or_default()) {
            Ok(answer) => CallToolResult::success(vec![ContentBlock::text(bounds::text(&answer))]),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(bounds::cut(&why))]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let guide = Resource::new(GUIDE, "guide")
            .with_title("How to use omphalos")
            .with_description("Which tool answers which question, and what its words mean");
        Ok(ListResourcesResult::with_all_items(vec![guide]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != GUIDE {
            let message = format!("there is no resource {}; there is {GUIDE}", request.uri);
            return Err(ErrorData::resource_not_found(message, None));
        }
        let text = ResourceContents::text(GUIDE_TEXT, GUIDE).with_mime_type("text/markdown");
        Ok(ReadResourceResult::new(vec![text]).into())
    }
}
